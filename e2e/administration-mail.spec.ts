import { mailSink } from '#server/platform/mail/testing.ts'
import { signUp } from '#testing/account.ts'
import { startServer } from '#testing/start-server.ts'
import { expect, openApp, test, visitor } from './fixtures/journey.ts'

test('an administrator sends a test email from the settings with which the server was started', {
  tag: '@long',
}, async ({ browser }) => {
  const sink = await mailSink()
  const { host, port } = sink.settings().server
  const server = await startServer({
    SMTP_URL: `smtp://${host}:${port}`,
    MAIL_FROM: 'Milepost <post@example.test>',
  })
  // The first account of a server is its administrator.
  const page = await visitor(browser, { baseURL: server.url })
  const { email } = await signUp(page, server.url)
  await openApp(page, '/admin')
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await expect(page.getByText('The mail server accepted the email.')).toBeVisible()
  const tests = sink.delivered.filter(({ content }) => content.includes('Subject: Test email of Milepost'))
  expect(tests).toMatchObject([{ to: [email] }])
  await page.context().close()
  await server.stop()
  await sink.stop()
})
