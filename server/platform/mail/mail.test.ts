import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { composeEmail, readMailAddress, Undeliverable } from './email.ts'
import { createMail, type Email } from './mail.ts'
import { readSmtpUrl } from './settings.ts'
import { type MailSink, mailSink } from './testing.ts'

let sink: MailSink

beforeAll(async () => {
  sink = await mailSink()
})
afterAll(() => sink.stop())
beforeEach(() => {
  sink.delivered.length = 0
  sink.state.rejectWith = 0
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

  test('that is refused permanently is distinguished from one that may be retried', async () => {
    sink.state.rejectWith = 550
    await expect(send()).rejects.toBeInstanceOf(Undeliverable)
    sink.state.rejectWith = 451
    await expect(send()).rejects.not.toBeInstanceOf(Undeliverable)
    await sink.stop()
    await expect(send()).rejects.not.toBeInstanceOf(Undeliverable)
    await sink.restart()
  })

  test('is not sent without TLS if TLS is required', async () => {
    const settings = sink.settings()
    const mail = createMail({ ...settings, server: { ...settings.server, tls: 'required' } })
    await expect(mail.send(email())).rejects.toMatchObject({ code: 'ETLS' })
    expect(sink.delivered).toEqual([])
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
])('%s is understood', (url, server) => {
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
  'smtp://:password@x.test',
  'smtp://%zz:password@x.test',
])('%s is no mail server', (url) => expect(readSmtpUrl(url)).toBeNull())

test.each([
  ['mail@example.org', { name: '', address: 'mail@example.org' }],
  ['Milepost <mail@example.org>', { name: 'Milepost', address: 'mail@example.org' }],
  ['mail', null],
  ['Mile\npost <mail@example.org>', null],
  ['a@example.org, b@example.org', null],
])('the sender %j is %j', (text, address) => expect(readMailAddress(text)).toEqual(address))
