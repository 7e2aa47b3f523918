import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { SMTPServer } from 'smtp-server'
import { createAccount } from '#testing/account.ts'
import { startDatabase } from '#testing/database.ts'
import { addCollaborator, createJournal } from '#testing/journal.ts'
import { freePort, type RunningServer, startServer } from '#testing/start-server.ts'
import { assert } from './assertions.ts'

/** Each in a project of their own. */
const PEOPLE = Number(process.env.LOST_RIGHT_PEOPLE ?? 16)
/** Emails are queued every ten seconds, so that rights are lost at every stage of one. */
const EARLIEST_MS = 12_000
const SPREAD_MS = 24_000
const PAUSE_MS = 400
const WRITTEN_LATER = 6
/** An email that is being sent when somebody loses a right still arrives. */
const HELD_MS = 1_000
/** Whatever is still queued is sent by then. */
const SETTLED_MS = 30_000

type Received = { to: string; raw: string; at: number }
type Person = Awaited<ReturnType<typeof prepare>>
type Lost = { email: string; at: number; later: string[] }

/**
 * Two servers tell members of mentions and email them without a pause, while they are removed, leave, hear nothing any more, or the
 * project is deleted: nothing that happens later is in their notifications, and a second later no email comes.
 */
export async function lostRight(report: (text: string) => void): Promise<void> {
  const received: Received[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    async onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      for await (const chunk of stream) chunks.push(chunk as Buffer)
      const raw = Buffer.concat(chunks).toString()
      for (const { address } of envelope.rcptTo)
        received.push({ to: address, raw: raw.replaceAll('=\r\n', ''), at: performance.now() })
      done()
    },
  })
  const port = await freePort()
  await once(smtp.listen(port, '127.0.0.1'), 'listening')
  const database = await startDatabase()
  const client = new Client({ connectionString: database.url })
  await client.connect()
  const mail = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'milepost@example.test' }
  const servers: RunningServer[] = []
  try {
    const first = await startServer({ DATABASE_URL: database.url, ...mail })
    servers.push(first)
    const shared = { PUBLIC_URL: first.url, DATA_DIR: first.dataDir, DATABASE_URL: database.url }
    servers.push(await startServer({ ...shared, ...mail }))
    const people: Person[] = []
    for (let number = 0; number < PEOPLE; number += 1) people.push(await prepare(client, first.url, number))
    // Otherwise nobody gets more than twenty emails a day.
    const dayPassed = `update news_emails set created_at = created_at - interval '1 day' where sent_at is not null`
    const passing = setInterval(() => void client.query(dayPassed), 2_000)
    const origins = servers.map(({ url }) => url)
    const lost = await Promise.all(people.map((person) => lose(origins, person)))
    await sleep(SETTLED_MS)
    clearInterval(passing)
    await checkNotifications(client, lost)
    report(checkEmails(lost, received))
  } finally {
    await client.end()
    for (const server of servers.toReversed()) await server.stop()
    await database.remove()
    smtp.close()
  }
}

async function prepare(client: Client, origin: string, number: number) {
  const owner = await createAccount(origin, 'Ada')
  const member = await createAccount(origin, `Reader ${number}`)
  await client.query('update users set email_verified = true, mails_mentions = true')
  const { projectId, milestoneId } = await createJournal(owner)
  await addCollaborator(owner, projectId, member)
  return { number, owner, member, projectId, milestoneId }
}

const losses: ((person: Person) => Promise<unknown>)[] = [
  async ({ owner, projectId }) => {
    const [member] = await owner.call('listCollaborators', { params: { projectId } })
    return owner.call('removeCollaborator', { params: { projectId, collaboratorId: member?._id ?? '' } })
  },
  ({ member, projectId }) => member.call('leaveProject', { params: { projectId } }),
  ({ member, projectId }) => member.call('changeWatch', { params: { projectId }, body: { level: 'none' } }),
  ({ owner, projectId }) => owner.call('deleteProject', { params: { projectId } }),
]

/** Mentions somebody on both servers until they have lost their right, and a few times more. */
async function lose(origins: string[], person: Person): Promise<Lost> {
  const { number, owner, member, milestoneId } = person
  const later: string[] = []
  let at = Infinity
  const write = async (turn: number) => {
    const title = `day${turn}of${number}.`
    if (at < Infinity) later.push(title)
    const body = { title, content: `With @${member.name}`, tags: [] }
    await owner.send('createEntry', { params: { milestoneId }, body }, origins[turn % origins.length])
  }
  const writing = (async () => {
    for (let turn = 0; later.length < WRITTEN_LATER; turn += 1) {
      await write(turn)
      await sleep(PAUSE_MS)
    }
  })()
  await sleep(EARLIEST_MS + Math.random() * SPREAD_MS)
  await losses[number % losses.length]?.(person)
  at = performance.now()
  await writing
  return { email: member.email, at, later }
}

async function checkNotifications(client: Client, lost: Lost[]) {
  for (const { email, later } of lost) {
    const { rows } = await client.query<{ message: string }>(
      `select message from notifications n join users u on u.id = n.user_id where u.email = $1 and n.kind = 'mention'`,
      [email],
    )
    assert(rows.length > 0, 'somebody was told of nothing')
    const told = rows.find(({ message }) => later.some((title) => message.includes(title)))
    assert(!told, `somebody was told of what happened after they lost their right: ${told?.message}`)
  }
}

function checkEmails(lost: Lost[], received: Received[]): string {
  const counts = { before: 0, meanwhile: 0 }
  for (const { email, at, later } of lost) {
    const emails = received.filter(({ to, raw }) => to === email && raw.includes('mentioned you'))
    const after = emails.filter((one) => one.at > at + HELD_MS)
    assert(after.length === 0, `${after.length} emails came more than a second after the right was lost`)
    assert(
      !emails.some(({ raw }) => later.some((title) => raw.includes(title))),
      'an email has what happened later',
    )
    counts.before += emails.filter((one) => one.at <= at).length
    counts.meanwhile += emails.filter((one) => one.at > at).length
  }
  assert(counts.before >= PEOPLE, `only ${counts.before} emails came before`)
  return `${PEOPLE} people lost their right while two servers emailed them: ${counts.before} emails came before, ${counts.meanwhile} within a second, none later; nothing that happened later is in their notifications`
}
