import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import type { MailSettings } from './settings.ts'

/** `greeting`: the name in EHLO. */
export type Delivered = { from: string; to: string[]; raw: string; content: string; greeting: string }

export type MailSink = Awaited<ReturnType<typeof mailSink>>

/** What the mail server refuses: with status `rejectWith`, unless that is 0. */
type Refusal = { rejectWith: number; rejectAt: 'CONN' | 'MAIL FROM' | 'RCPT TO' | 'DATA'; rejectText: string }

const NOTHING: Refusal = { rejectWith: 0, rejectAt: 'RCPT TO', rejectText: 'no such mailbox' }

/** A mail server that records emails. While `rejectWith` is set, it refuses recipients with that status, or what `rejectAt` names. */
export async function mailSink() {
  const delivered: Delivered[] = []
  const state = { ...NOTHING }
  let server = serverInto(delivered, state)
  let port = await listenOn(server, 0)

  return {
    delivered,
    state,
    acceptAll: () => Object.assign(state, NOTHING),
    settings: (): MailSettings => ({
      server: { host: '127.0.0.1', port, tls: 'offered', login: undefined },
      from: { name: 'Milepost', address: 'milepost@example.test' },
    }),
    /** Waits for the nth email to an address. */
    emailTo: (address: string, nth = 1) =>
      waitForEmail(
        () => delivered.filter(({ to }) => to.includes(address))[nth - 1],
        `email ${nth} to ${address}`,
      ),
    /** Waits for the email to an address with this subject: emails of different queues arrive in any order. */
    emailAbout: (address: string, subject: string) =>
      waitForEmail(
        () => delivered.find(({ to, raw }) => to.includes(address) && raw.includes(`Subject: ${subject}`)),
        `the email '${subject}' to ${address}`,
      ),
    stop: () => closed(server),
    async restart() {
      server = serverInto(delivered, state)
      port = await listenOn(server, port)
    },
  }
}

async function waitForEmail(find: () => Delivered | undefined, name: string): Promise<Delivered> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(20)) {
    const email = find()
    if (email) return email
  }
  throw new Error(`${name} has not come`)
}

function serverInto(delivered: Delivered[], state: Refusal): SMTPServer {
  const refusalAt = (command: Refusal['rejectAt']) =>
    state.rejectWith && state.rejectAt === command
      ? Object.assign(new Error(state.rejectText), { responseCode: state.rejectWith })
      : null

  return new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 100,
    onConnect: (_session, done) => done(refusalAt('CONN')),
    onMailFrom: (_address, _session, done) => done(refusalAt('MAIL FROM')),
    onRcptTo: (_address, _session, done) => done(refusalAt('RCPT TO')),
    onData(stream, { envelope, hostNameAppearsAs }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const refusal = refusalAt('DATA')
        if (refusal) return done(refusal)
        const raw = Buffer.concat(chunks).toString()
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const to = envelope.rcptTo.map(({ address }) => address)
        delivered.push({ from, to, raw, content: decoded(raw), greeting: hostNameAppearsAs })
        done()
      })
    },
  })
}

async function listenOn(server: SMTPServer, port: number): Promise<number> {
  const listener = server.listen(port, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port')
  return address.port
}

const closed = (server: SMTPServer) => new Promise<void>((done) => server.close(() => done()))

/** Decodes quoted-printable. */
function decoded(raw: string): string {
  const bytes = raw
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
