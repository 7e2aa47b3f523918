import { once } from 'node:events'
import { createServer } from 'node:net'
import { type MailSink, mailSink } from '#server/platform/mail/testing.ts'
import { test as base, expect, visitor } from './journey.ts'
import { type Member, member } from './member.ts'
import { type RunningServer, startServer } from './start-server.ts'

/** The first attempt fails, and the next comes half a minute or more later. */
const PATIENCE = { timeout: 120_000 }

type Post = RunningServer & { sink: MailSink; port: number }

/** Journeys on a server that sends mail. */
const test = base.extend<{ owner: Member }, { post: Post }>({
  post: [
    async ({}, use) => {
      const sink = await mailSink()
      const { host, port } = sink.settings().server
      const server = await startServer({
        SMTP_URL: `smtp://${host}:${port}`,
        MAIL_FROM: 'Milepost <post@example.test>',
      })
      await use({ ...server, sink, port })
      await server.stop()
      await sink.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ post }, use) => use(post.url),
  owner: async ({ browser, post }, use) => {
    const page = await visitor(browser, { baseURL: post.url })
    await use(await member(page, post.url, 'Grace Hopper'))
    await page.context().close()
  },
})
test.describe.configure({ mode: 'default' })

async function invite(owner: Member, email: string): Promise<string> {
  const { _id: projectId } = await owner.call('createProject', {
    body: { title: 'A canoe', description: 'Strip by strip' },
  })
  await owner.call('inviteCollaborator', { params: { projectId }, body: { email, role: 'editor' } })
  return projectId
}

const linkIn = (path: string, content = '') =>
  new RegExp(`http://localhost:\\d+(/${path}/[\\w-]+)`).exec(content)?.[1] ?? ''

/** The letters to an address that hold a link to an invitation. */
const invitationsTo = ({ sink }: Post, email: string) =>
  sink.delivered.filter(({ to, content }) => to.includes(email) && linkIn('invite', content))

test('the link of a mailed invitation leads in, once', async ({ page, me, owner, post }) => {
  await page.goto(linkIn('verify-email', (await post.sink.letterTo(me.email)).content))
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await expect(page.getByRole('heading', { name: 'Your email address is confirmed' })).toBeVisible()

  const projectId = await invite(owner, me.email)
  await expect.poll(() => invitationsTo(post, me.email)).toHaveLength(1)
  const link = linkIn('invite', invitationsTo(post, me.email)[0]?.content)
  await page.goto(link)
  await expect(page.getByText('A canoe')).toBeVisible()
  await page.getByRole('button', { name: 'Accept Invitation' }).click()
  await expect(page).toHaveURL(`/projects/${projectId}`)
  await expect(page.getByRole('heading', { name: 'A canoe' })).toBeVisible()

  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Invalid Invitation' })).toBeVisible()
  expect(invitationsTo(post, me.email), 'one letter for one invitation').toHaveLength(1)
})

test('an invitation is mailed, once, when the mail server is back', async ({ page, owner, post }) => {
  test.setTimeout(180_000)
  const email = 'late@example.test'
  await post.sink.stop()
  let attempts = 0
  const down = createServer((socket) => {
    attempts += 1
    socket.destroy()
  }).listen(post.port, '127.0.0.1')
  await once(down, 'listening')
  await invite(owner, email)
  await expect.poll(() => attempts).toBeGreaterThan(0)
  down.close()
  await once(down, 'close')
  await post.sink.restart()

  await expect.poll(() => invitationsTo(post, email), PATIENCE).toHaveLength(1)
  await page.goto(linkIn('invite', invitationsTo(post, email)[0]?.content))
  await expect(page.getByRole('button', { name: 'Accept Invitation' })).toBeVisible()
  await expect(page.getByText('A canoe')).toBeVisible()
})
