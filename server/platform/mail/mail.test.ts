import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { LONGEST_RUN_SECONDS } from '#server/platform/jobs.ts'
import { composeEmail, harmless, harmlessSentence, readMailAddress } from './email.ts'
import { type FailureReason, failureOf, Undeliverable } from './failure.ts'
import type { Email } from './mail.ts'
import { readSmtpUrl } from './settings.ts'
import { createMail, greetingOf } from './smtp.ts'
import { type MailSink, mailSink } from './testing.ts'

let sink: MailSink

beforeAll(async () => {
  sink = await mailSink()
})
afterAll(() => sink.stop())
beforeEach(() => {
  sink.delivered.length = 0
  sink.acceptAll()
})

const email = (overrides: Partial<Email> = {}): Email => ({
  id: 'email-1',
  to: 'ada@example.test',
  subject: 'Grüße',
  text: 'Plain',
  html: '<p>Marked</p>',
  ...overrides,
})
const send = (overrides?: Partial<Email>) => createMail(sink.settings()).send(email(overrides))

function refused(rejectWith: number, rejectAt: MailSink['state']['rejectAt'], rejectText: string) {
  Object.assign(sink.state, { rejectWith, rejectAt, rejectText })
  return send()
}

describe('an email', () => {
  test('is received with both parts, the configured sender and a stable id', async () => {
    await send()
    const arrived = await sink.emailTo('ada@example.test')
    expect(arrived).toMatchObject({ from: 'milepost@example.test', to: ['ada@example.test'] })
    expect(arrived.raw).toContain('Message-ID: <email-1@example.test>')
    expect(arrived.raw).toContain('From: Milepost <milepost@example.test>')
    expect(arrived.content).toContain('Plain')
    expect(arrived.content).toContain('<p>Marked</p>')
  })

  test('asks mail programs for no automatic reply, also those of Exchange', async () => {
    await send()
    const { raw } = await sink.emailTo('ada@example.test')
    expect(raw).toMatch(/^Auto-Submitted: auto-generated$/im)
    expect(raw).toMatch(/^X-Auto-Response-Suppress: OOF, AutoReply$/im)
  })

  test.each([
    ['a second recipient', { to: 'ada@example.test, eve@example.test' }],
    ['a header in the recipient', { to: 'ada@example.test\r\nBcc: eve@example.test' }],
    ['a group', { to: 'all:ada@example.test,eve@example.test;' }],
    ['a display name', { to: 'Eve <eve@example.test>' }],
    ['a header in the subject', { subject: 'Hello\r\nBcc: eve@example.test' }],
    ['a line in the subject', { subject: 'Hello\u2028Bcc: eve@example.test' }],
  ])('with %s is not sent', async (_what, overrides) => {
    await expect(send(overrides)).rejects.toBeInstanceOf(Undeliverable)
    expect(sink.delivered).toEqual([])
  })

  test.each([
    [550, 'RCPT TO', 'no such mailbox'],
    [553, 'RCPT TO', 'no such mailbox'],
    [554, 'RCPT TO', '5.1.1 user unknown in relay recipient table'],
    [552, 'RCPT TO', '5.2.2 mailbox full'],
    [550, 'DATA', '5.1.1 no such user'],
    [553, 'RCPT TO', '5.1.3 bad syntax of the recipient'],
    [556, 'RCPT TO', '5.1.10 the domain receives no email'],
    [550, 'RCPT TO', '#5.1.0 Address rejected'],
    [550, 'DATA', '5.1.0 no such user'],
    [554, 'RCPT TO', 'sorry, no mailbox here by that name (#5.1.1)'],
    [550, 'RCPT TO', '5.0.0 user unknown'],
    [550, 'RCPT TO', '5.2.1 the mailbox is disabled'],
    [550, 'RCPT TO', '5.4.1 Recipient address rejected: Access denied'],
    [554, 'DATA', '5.4.1 Recipient address rejected: Access denied'],
  ] as const)('whose recipient is refused (%i at %s: %s) is not retried', async (status, at, text) => {
    await expect(refused(status, at, text)).rejects.toMatchObject({ reason: 'recipient_refused' })
    await expect(send()).rejects.toBeInstanceOf(Undeliverable)
  })

  test.each([
    [554, 'CONN', '5.7.1 no service for your network', 'refused'],
    [530, 'MAIL FROM', '5.7.0 authentication required', 'login_refused'],
    [530, 'MAIL FROM', '5.7.0 must issue a STARTTLS command first', 'not_encrypted'],
    [550, 'MAIL FROM', '5.1.0 not from this address', 'sender_refused'],
    [530, 'RCPT TO', '5.7.1 log in first', 'login_refused'],
    [550, 'RCPT TO', '5.1.8 domain of the sender not found', 'sender_refused'],
    [550, 'RCPT TO', '5.1.0 <milepost@example.test>: Sender address rejected', 'sender_refused'],
    [553, 'RCPT TO', '5.7.1 Sender address rejected: not owned by user ada', 'sender_refused'],
    [550, 'RCPT TO', 'Sender verify failed', 'sender_refused'],
    [554, 'DATA', '5.2.0 STOREDRV.Submission.Exception:SendAsDeniedException', 'sender_refused'],
    [554, 'DATA', '5.2.252 SendAsDenied; not allowed to send as milepost@example.test', 'sender_refused'],
    [550, 'DATA', '5.7.0 From address is not one of your addresses.', 'sender_refused'],
    [551, 'DATA', '5.7.1 Not authorised to send from this header address', 'sender_refused'],
    [550, 'DATA', 'The example.test domain is not verified. Please, add and verify it', 'sender_refused'],
    [421, 'DATA', 'Domain example.test is not allowed to send: please activate it', 'try_later'],
    [550, 'DATA', '5.1.90 daily limit for message recipients reached', 'refused'],
    [550, 'RCPT TO', '5.7.1 listed as a source of spam', 'refused'],
    [553, 'RCPT TO', 'sorry (#5.7.1)', 'refused'],
    [550, 'RCPT TO', '#5.7.1 not permitted', 'refused'],
    [550, 'RCPT TO', '5.3.0 the system is full', 'refused'],
    [550, 'RCPT TO', '5.4.1 no answer from the next host', 'refused'],
    [550, 'RCPT TO', '5.4.5 Daily user sending limit exceeded', 'refused'],
    [550, 'RCPT TO', '5.4.5 Daily SMTP relay limit exceeded', 'relay_refused'],
    [550, 'RCPT TO', '5.0.0 relay not permitted', 'relay_refused'],
    [550, 'RCPT TO', '5.5.1 unexpected command', 'refused'],
    [550, 'RCPT TO', '5.6.0 the content is not supported', 'refused'],
    [550, 'RCPT TO', 'Your IP is not welcome', 'refused'],
    [550, 'RCPT TO', 'Your server is blacklisted', 'refused'],
    [550, 'RCPT TO', 'Your server is in a black list', 'refused'],
    [550, 'RCPT TO', 'Your server is blocked', 'refused'],
    [550, 'RCPT TO', 'Your server sends spam', 'refused'],
    [550, 'RCPT TO', 'Authentication is required', 'refused'],
    [550, 'RCPT TO', 'The limit of an hour is reached', 'refused'],
    [550, 'RCPT TO', 'Domain example.test has exceeded the max emails per hour (100/100)', 'refused'],
    [550, 'MAIL FROM', 'Too many emails per hour', 'refused'],
    [554, 'RCPT TO', '5.7.1 relay access denied', 'relay_refused'],
    [550, 'RCPT TO', 'relay not permitted', 'relay_refused'],
    [451, 'RCPT TO', '4.7.1 greylisted', 'try_later'],
    [554, 'DATA', '5.7.1 looks like spam', 'refused'],
  ] as const)('that is refused for another reason (%i at %s: %s) is retried', async (...row) => {
    const [status, at, text, reason] = row
    const error = await refused(status, at, text).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ reason })
    expect(error).not.toBeInstanceOf(Undeliverable)
  })

  test.each([
    'error:0A00010B:SSL routines:tls_validate_record_header:wrong version number',
    'self-signed certificate',
    "Hostname/IP does not match certificate's altnames: IP: 127.0.0.1",
  ])('whose sending fails by TLS is reported as not encrypted: %s', (message) => {
    const error = Object.assign(new Error(message), { code: 'ESOCKET', command: 'CONN' })
    expect(failureOf(error)).toMatchObject({ reason: 'not_encrypted' })
  })

  test('is retried if the mail server cannot be reached', async () => {
    await sink.stop()
    const error = await send().catch((thrown: unknown) => thrown)
    await sink.restart()
    expect(error).toMatchObject({ reason: 'unreachable' })
    expect(error).not.toBeInstanceOf(Undeliverable)
  })

  test.each<[number, text: string, FailureReason]>([
    [535, '5.7.8 wrong password', 'login_refused'],
    [534, '5.7.9 mechanism too weak', 'login_refused'],
    [538, '5.7.11 encryption required', 'not_encrypted'],
    [454, '4.7.0 try later', 'try_later'],
  ])('whose login is refused with %i is retried', (responseCode, text, reason) => {
    const response = `${responseCode} ${text}`
    const error = Object.assign(new Error(response), {
      code: 'EAUTH',
      command: 'AUTH PLAIN',
      responseCode,
      response,
    })
    expect(failureOf(error)).toMatchObject({ reason, cause: error })
    expect(failureOf(error)).not.toBeInstanceOf(Undeliverable)
  })

  test.each([
    ['https://journal.example.org', 'journal.example.org'],
    ['https://journal.example.org:8443', 'journal.example.org'],
    ['https://журнал.example', 'xn--80alqgor.example'],
    ['http://192.0.2.7:3000', '[192.0.2.7]'],
    ['http://[2001:db8::7]:3000', '[IPv6:2001:db8::7]'],
    ['http://localhost:3000', 'example.test'],
    ['http://milepost:3000', 'example.test'],
  ])('from %s greets the mail server as %s', async (publicUrl, greeting) => {
    const settings = sink.settings()
    await createMail(settings, greetingOf(publicUrl, settings.from)).send(email())
    // The server of the test folds the case.
    expect(sink.delivered.at(-1)?.greeting.toLowerCase()).toBe(greeting.toLowerCase())
  })

  test('is not sent without TLS if TLS is required', async () => {
    const settings = sink.settings()
    const mail = createMail({ ...settings, server: { ...settings.server, tls: 'required' } })
    await expect(mail.send(email())).rejects.toMatchObject({ reason: 'not_encrypted' })
    expect(sink.delivered).toEqual([])
  })

  test('is not awaited for longer than its job may run', async () => {
    const limit = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const settings = sink.settings()
    const connection = once(silent, 'connection') as Promise<[Socket]>
    const sending = createMail({ ...settings, server: { ...settings.server, port } }).send(email())
    const [socket] = await connection
    const closed = once(socket.resume(), 'close')
    limit.abort()
    await expect(sending).rejects.toMatchObject({ reason: 'unreachable', cause: { code: 'EABORT' } })
    expect(timeout.mock.lastCall?.[0]).toBeLessThan(LONGEST_RUN_SECONDS * 1000)
    timeout.mockRestore()
    await closed
    silent.close()
  })

  test('has links to press wherever it names an address of ours, and none that users wrote', () => {
    const { html } = composeEmail({
      title: harmless('See https://evil.example'),
      opening: [harmless('Look at https://evil.example/x or www.evil.example')],
      action: { label: 'Go', url: 'https://x.test/' },
      closing: ['Stop these emails: https://x.test/stop/1?a=1&b=2'],
    })
    expect([...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      'https://x.test/',
      'https://x.test/stop/1?a=1&amp;b=2',
    ])
  })

  test('has user input in its own direction, with nothing that turns around what follows', () => {
    expect(harmless('קאנו\u200f (2)')).toBe('\u2068קאנו (2)\u2069')
    expect(harmless('Canoe\u202e 2\n3')).toBe('Canoe 2 3')
    const sentence = '\u2068דוד\u2069 published “\u2068קאנו (2)\u2069”'
    expect(harmlessSentence(sentence, 300)).toBe(sentence)
  })

  test('contains no markup from its texts', () => {
    const { html, text } = composeEmail({
      title: 'A <b>title</b>',
      opening: [`"Quoted" & 'marked' <script>`],
      action: { label: 'Go <i>', url: 'https://x.test/?a=1&b="2"' },
      closing: [],
    })
    expect(html).not.toMatch(/<(b|i|script)>/)
    expect(html).toContain('href="https://x.test/?a=1&amp;b=&quot;2&quot;"')
    expect(text).toContain(`"Quoted" & 'marked' <script>`)
  })
})

test.each([
  ['smtp://mail.example.org', { port: 587, tls: 'offered', login: undefined }],
  ['smtp://localhost:1025?tls=off', { host: 'localhost', port: 1025, tls: 'off' }],
  ['smtp://[::1]', { host: '::1' }],
  ['smtp://ada:p%40ss@mail.example.org', { tls: 'required', login: { user: 'ada', password: 'p@ss' } }],
  ['smtp://ada:pass@mail.example.org?tls=offered', { tls: 'offered' }],
  ['smtps://mail.example.org', { port: 465, tls: 'immediate' }],
  ['smtp://ada:pass@mail.example.org:465', { port: 465, tls: 'immediate' }],
  ['smtp://mail.example.org:465?tls=offered', { port: 465, tls: 'offered' }],
])('%s is accepted', (url, server) => {
  expect(readSmtpUrl(url)).toMatchObject(server)
})

test.each([
  'mail.example.org',
  'http://mail.example.org',
  'smtp://',
  'smtp://x.test/path',
  'smtp://x.test?tls=maybe',
  'smtps://x.test?tls=off',
  'smtp://x.test?proxy=http://y.test',
  'smtp://x.test?secure=true',
  'smtp://:password@x.test',
  'smtp://%zz:password@x.test',
])('%s is not a valid mail server URL', (url) => expect(readSmtpUrl(url)).toBeNull())

test.each([
  ['mail@example.org', { name: '', address: 'mail@example.org' }],
  ['Milepost <mail@example.org>', { name: 'Milepost', address: 'mail@example.org' }],
  ['"Mile, \\"post\\"" <mail@example.org>', { name: 'Mile, "post"', address: 'mail@example.org' }],
  ['mail', null],
  ['Mile\npost <mail@example.org>', null],
  ['a@example.org, b@example.org', null],
])('the sender %j is %j', (text, address) => expect(readMailAddress(text)).toEqual(address))
