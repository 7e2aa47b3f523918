import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { SMTPServer } from 'smtp-server'
import { type Account, createAccount } from '#testing/account.ts'
import { startDatabase } from '#testing/database.ts'
import { addCollaborator, createJournal } from '#testing/journal.ts'
import { freePort, type RunningServer, startServer } from '#testing/start-server.ts'
import { assert, eventually } from './assertions.ts'

const KILLS = Number(process.env.NEWS_KILLS ?? 6)
const EDITS = 50
/** A job whose server died is run again after five minutes. */
const TIMEOUT_MS = 500_000
const TWICE_MS = 12_000

/**
 * Kills the server after the mail server has taken an email and before that is recorded: the email comes again under the same id at
 * most. Fifty edits of an entry are one line of it.
 */
export async function news(report: (text: string) => void): Promise<void> {
  const received: { id: string; to: string; raw: string }[] = []
  let onReceived = () => {}
  let edited = Promise.resolve()
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    async onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      await edited
      const raw = Buffer.concat(chunks).toString()
      const id = /^Message-ID: (.*)$/im.exec(raw)?.[1] ?? ''
      received.push({ id, to: envelope.rcptTo[0]?.address ?? '', raw })
      onReceived()
      done()
    },
  })
  const port = await freePort()
  await once(smtp.listen(port, '127.0.0.1'), 'listening')
  const database = await startDatabase()
  const client = new Client({ connectionString: database.url })
  await client.connect()
  const mail = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'milepost@example.test' }
  const first = await startServer({ DATABASE_URL: database.url, ...mail })
  let server: RunningServer = first
  try {
    const owner = await createAccount(first.url, 'Ada')
    const { projectId, milestoneId } = await createJournal(owner)
    const reader = await createAccount(first.url, 'Cy')
    await client.query('update users set email_verified = true, mails_mentions = true')
    await addCollaborator(owner, projectId, reader, 'editor')
    received.length = 0
    const ofReader = () => received.filter(({ to, raw }) => to === reader.email && raw.includes('mentioned'))
    for (let kill = 1; kill <= KILLS; kill += 1) {
      onReceived = () => {
        if (idsOf(ofReader()).size === kill) process.kill(server.pid, 'SIGKILL')
      }
      const editing = Promise.withResolvers<void>()
      edited = editing.promise
      await mention(owner, milestoneId, kill)
      editing.resolve()
      await eventually(() => idsOf(ofReader()).size === kill, 'no email has come', TIMEOUT_MS)
      onReceived = () => {}
      await server.end('SIGKILL')
      const { rows } = await client.query(
        'select count(*)::integer as n from news_emails where sent_at is null',
      )
      assert(rows[0].n > 0, 'the email was recorded before the kill')
      server = await startServer({
        PORT: new URL(first.url).port,
        DATABASE_URL: database.url,
        DATA_DIR: first.dataDir,
        ...mail,
      })
    }
    await eventually(
      () => countsOf(ofReader()).every((count) => count > 1),
      'no email came again',
      TIMEOUT_MS,
    )
    await sleep(TWICE_MS)
    const emails = ofReader()
    const counts = countsOf(emails)
    assert(counts.length === KILLS, `${counts.length} emails came ${counts.join(', ')} times`)
    const lines = emails.map(({ raw }) => raw.replaceAll('=\r\n', '').split(/mentioned you/).length - 1)
    assert(Math.max(...lines) <= 2, `an email has ${Math.max(...lines)} lines`)
    report(
      `server killed ${KILLS} times between the mail server's answer and the record: each of the ${KILLS} emails came ${counts.join(', ')} times under one id; ${EDITS} edits were one line`,
    )
  } finally {
    await client.end()
    await server.end('SIGKILL')
    await first.stop()
    await database.remove()
    smtp.close()
  }
}

/** Returns how often each email came. */
const countsOf = (emails: { id: string }[]) =>
  [...Map.groupBy(emails, ({ id }) => id).values()].map(({ length }) => length)

const idsOf = (emails: { id: string }[]) => new Set(emails.map(({ id }) => id))

async function mention(owner: Account, milestoneId: string, number: number) {
  const { _id: entryId } = await owner.call('createEntry', {
    params: { milestoneId },
    body: { title: `Day ${number}`, content: 'A draft', tags: [], state: 'draft' },
  })
  const change = (content: string, state: 'draft' | 'published') =>
    owner.call('updateEntry', { params: { milestoneId, entryId }, body: { content, state } })
  await change('With @Cy', 'published')
  for (let edit = 0; edit < EDITS; edit += 1) await change(`With @Cy, ${edit}`, 'published')
}
