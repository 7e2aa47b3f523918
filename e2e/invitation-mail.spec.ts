import { once } from 'node:events'
import { createServer } from 'node:net'
import { Client } from 'pg'
import type { Account } from '#testing/account.ts'
import { embeddedDatabaseUrl } from '#testing/start-server.ts'
import { type EmailServer, linkPathIn, test } from './fixtures/email.ts'
import { expect, openApp } from './fixtures/journey.ts'

test.describe.configure({ mode: 'default' })

async function invite(owner: Account, email: string): Promise<string> {
  const { _id: projectId } = await owner.call('createProject', {
    body: { title: 'A canoe', description: 'Strip by strip' },
  })
  await owner.call('inviteCollaborator', { params: { projectId }, body: { email, role: 'editor' } })
  return projectId
}

/** Returns the emails to a recipient that contain an invitation link. */
const invitationsTo = ({ sink }: EmailServer, email: string) =>
  sink.delivered.filter(({ to, content }) => to.includes(email) && linkPathIn(content, 'invite'))

/** The server polls for due jobs every 15 seconds. */
const JOB_POLL = { timeout: 120_000 }

/** Makes failed jobs due now, which would otherwise be retried after half a minute or more. */
async function retryNow({ dataDir }: EmailServer): Promise<void> {
  const client = new Client({ connectionString: await embeddedDatabaseUrl(dataDir) })
  await client.connect()
  try {
    await client.query(`update jobs.job set start_after = now() where state = 'retry'`)
  } finally {
    await client.end()
  }
}

test('the link in an invitation email accepts the invitation, and opens the project when used again', {
  tag: '@long',
}, async ({ page, me, owner, emailServer }) => {
  await openApp(page, await emailServer.linkTo(me.email))
  await page.getByRole('button', { name: 'Confirm this address' }).click()
  await expect(page.getByRole('heading', { name: 'Your email address is confirmed' })).toBeVisible()

  const projectId = await invite(owner, me.email)
  await expect.poll(() => invitationsTo(emailServer, me.email)).toHaveLength(1)
  const link = linkPathIn(invitationsTo(emailServer, me.email)[0]?.content, 'invite')
  await openApp(page, link)
  await expect(page.getByText('A canoe')).toBeVisible()
  await page.getByRole('button', { name: 'Accept Invitation' }).click()
  await expect(page).toHaveURL(`/projects/${projectId}`)
  await expect(page.getByRole('heading', { name: 'A canoe' })).toBeVisible()

  await page.goto(link)
  await expect(page, 'a link that was used leads its person on').toHaveURL(`/projects/${projectId}`)
  expect(invitationsTo(emailServer, me.email), 'one email for one invitation').toHaveLength(1)
})

test('an invitation is emailed once when the mail server is available again', { tag: '@long' }, async ({
  page,
  owner,
  emailServer,
}) => {
  const email = 'late@example.test'
  await emailServer.sink.stop()
  let attempts = 0
  const down = createServer((socket) => {
    attempts += 1
    socket.destroy()
  }).listen(emailServer.mailPort, '127.0.0.1')
  await once(down, 'listening')
  await invite(owner, email)
  await expect.poll(() => attempts).toBeGreaterThan(0)
  down.close()
  await once(down, 'close')
  await emailServer.sink.restart()

  const emails = async () => {
    await retryNow(emailServer)
    return invitationsTo(emailServer, email)
  }
  await expect.poll(emails, JOB_POLL).toHaveLength(1)
  await page.goto(linkPathIn(invitationsTo(emailServer, email)[0]?.content, 'invite'))
  await expect(page.getByRole('link', { name: 'Sign in to accept' })).toBeVisible()
  await expect(page.getByText('A canoe')).toBeVisible()
})
