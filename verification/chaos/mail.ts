import { setTimeout as sleep } from 'node:timers/promises'
import { mailSink } from '#server/platform/mail/testing.ts'
import { createAccount } from '#testing/account.ts'
import { createJournal } from '#testing/journal.ts'
import { startServer } from '#testing/start-server.ts'
import { assert, eventually } from './assertions.ts'

const INVITED = ['lin@example.com', 'grace@example.com', 'edsger@example.com']
/** The first attempts are half a minute apart, later ones increasingly more. */
const TIMEOUT_MS = 150_000
const TWICE_MS = 5_000

/** Makes the mail server unavailable: invitations still work, and each email arrives once when it is back. */
export async function mail(report: (text: string) => void): Promise<void> {
  const sink = await mailSink()
  const { port } = sink.settings().server
  const server = await startServer({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'milepost@example.test',
  })
  try {
    const account = await createAccount(server.url)
    const { projectId } = await createJournal(account)
    await sink.stop()
    for (const email of INVITED)
      await account.call('inviteCollaborator', { params: { projectId }, body: { email, role: 'viewer' } })
    await sleep(TWICE_MS) // the first attempt fails
    await sink.restart()
    const back = Date.now()
    const countEmailsTo = (email: string) => sink.delivered.filter(({ to }) => to.includes(email)).length
    await eventually(
      () => INVITED.every((email) => countEmailsTo(email) > 0),
      'an email has not come',
      TIMEOUT_MS,
    )
    const took = Math.round((Date.now() - back) / 1000)
    await sleep(TWICE_MS)
    const counts = INVITED.map(countEmailsTo)
    assert(
      counts.every((count) => count === 1),
      `emails came ${counts.join(', ')} times`,
    )
    report(
      `mail server gone: ${INVITED.length} people invited meanwhile, each email came once, within ${took} s of its return`,
    )
  } finally {
    await server.stop()
    await sink.stop()
  }
}
