import { once } from 'node:events'
import { createServer } from 'node:net'
import { Client } from 'pg'
import { expect } from './journey.ts'
import type { Member } from './member.ts'
import { type Post, pathIn, test } from './post.ts'
import { databaseUnder } from './second-process.ts'

test.describe.configure({ mode: 'default' })

async function invite(owner: Member, email: string): Promise<string> {
  const { _id: projectId } = await owner.call('createProject', {
    body: { title: 'A canoe', description: 'Strip by strip' },
  })
  await owner.call('inviteCollaborator', { params: { projectId }, body: { email, role: 'editor' } })
  return projectId
}

/** The emails to an address that hold a link to an invitation. */
const invitationsTo = ({ sink }: Post, email: string) =>
  sink.delivered.filter(({ to, content }) => to.includes(email) && pathIn(content, 'invite'))

/** A process looks for work that is due every quarter of a minute. */
const PATIENCE = { timeout: 40_000 }

/** Makes due at once what failed and would be tried again half a minute or more later. */
async function hurry({ dataDir }: Post): Promise<void> {
  const client = new Client({ connectionString: await databaseUnder(dataDir) })
  await client.connect()
  try {
    await client.query(`update jobs.job set start_after = now() where state = 'retry'`)
  } finally {
    await client.end()
  }
}

test('the link of a mailed invitation leads in, and to the project when it is opened again', async ({
  page,
  me,
  owner,
  post,
}) => {
  await page.goto(await post.linkTo(me.email))
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await expect(page.getByRole('heading', { name: 'Your email address is confirmed' })).toBeVisible()

  const projectId = await invite(owner, me.email)
  await expect.poll(() => invitationsTo(post, me.email)).toHaveLength(1)
  const link = pathIn(invitationsTo(post, me.email)[0]?.content, 'invite')
  await page.goto(link)
  await expect(page.getByText('A canoe')).toBeVisible()
  await page.getByRole('button', { name: 'Accept Invitation' }).click()
  await expect(page).toHaveURL(`/projects/${projectId}`)
  await expect(page.getByRole('heading', { name: 'A canoe' })).toBeVisible()

  await page.goto(link)
  await expect(page).toHaveURL(`/projects/${projectId}`)
  expect(invitationsTo(post, me.email), 'one email for one invitation').toHaveLength(1)
})

test('an invitation is mailed, once, when the mail server is back', async ({ page, owner, post }) => {
  const email = 'late@example.test'
  await post.sink.stop()
  let attempts = 0
  const down = createServer((socket) => {
    attempts += 1
    socket.destroy()
  }).listen(post.mailPort, '127.0.0.1')
  await once(down, 'listening')
  await invite(owner, email)
  await expect.poll(() => attempts).toBeGreaterThan(0)
  down.close()
  await once(down, 'close')
  await post.sink.restart()

  const emails = async () => {
    await hurry(post)
    return invitationsTo(post, email)
  }
  await expect.poll(emails, PATIENCE).toHaveLength(1)
  await page.goto(pathIn(invitationsTo(post, email)[0]?.content, 'invite'))
  await expect(page.getByRole('button', { name: 'Accept Invitation' })).toBeVisible()
  await expect(page.getByText('A canoe')).toBeVisible()
})
