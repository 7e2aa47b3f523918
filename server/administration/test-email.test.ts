import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { visitor } from '#server/identity/local/testing.ts'
import { NotSent } from '#server/platform/mail/failure.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import { testApp } from '#server/testing/app.ts'
import { type MailingTestServer, mailingTestServer } from '#server/testing/local-server.ts'
import { sendTestEmail } from './test-email.ts'

let server: MailingTestServer
let chief: { token: string; user: { _id: string; email: string } }
beforeAll(async () => {
  server = await mailingTestServer({ registration: 'open' })
  const first = visitor(server.app)
  await first.signUp()
  chief = await first.enter()
})
afterAll(() => server.close())

const ask = async () => {
  const headers = { authorization: `Bearer ${chief.token}` }
  const response = await server.app.inject({ method: 'POST', url: '/api/admin/test-email', headers })
  return { status: response.statusCode, body: response.json<{ outcome?: string; message?: string }>() }
}

it('is sent to the administrator at most five times in ten minutes, and a failure returns a code for its reason', async () => {
  const sent = (content: string) => content.includes('Subject: Test email of Milepost')
  expect(await ask()).toEqual({ status: 200, body: { outcome: 'sent' } })
  expect(
    server.sink.delivered.filter(({ to, content }) => to.includes(chief.user.email) && sent(content)),
  ).toHaveLength(1)
  server.sink.state.rejectWith = 550
  expect(await ask()).toEqual({ status: 200, body: { outcome: 'recipient_refused' } })
  server.sink.state.rejectWith = 451
  expect(await ask()).toEqual({ status: 200, body: { outcome: 'try_later' } })
  server.sink.state.rejectWith = 0
  await server.sink.stop()
  expect(await ask()).toEqual({ status: 200, body: { outcome: 'unreachable' } })
  const failures = server.logged.filter((line) => line.includes('a test email was not sent'))
  expect(failures).toEqual([
    expect.stringContaining('the mail server refused the recipient'),
    expect.stringContaining('the mail server asks to try again later'),
    expect.stringContaining('the mail server could not be reached'),
  ])
  await server.sink.restart()
  expect(await ask()).toMatchObject({ status: 200 })
  expect(await ask()).toMatchObject({ status: 429 })
})

it('has a time limit, and is recorded in the audit log', async () => {
  const t = await testApp()
  const admin = await t.person()
  await t.pool.query('update users set is_admin = true where id = $1', [admin.userId])
  const limit = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
  const send: Mail['send'] = async (_email, signal) => {
    limit.abort()
    if (signal?.aborted) throw new NotSent('unreachable', 'aborted')
  }
  const deps = { ...t.deps, mail: { send }, publicUrl: 'http://localhost' }
  const caller = { userId: admin.userId, sessionId: '' }
  expect(await sendTestEmail(deps, caller)).toEqual({ outcome: 'unreachable' })
  expect(timeout.mock.lastCall).toEqual([20_000])
  timeout.mockRestore()
  const { events } = await t.call('listAuditLog', {}, { as: admin })
  expect(events[0]?.kind).toBe('test_email_sent')

  // Without mail there is nothing to test and nothing to record.
  expect(await t.refused('sendTestEmail', {}, { as: admin })).toEqual({
    status: 409,
    code: 'conflict',
    message: 'This server is not set up to send email',
  })
  expect((await t.call('listAuditLog', {}, { as: admin })).events).toHaveLength(events.length)
  await t.close()
})
