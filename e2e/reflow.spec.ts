import type { Page } from '@playwright/test'
import { TITLE_MAX } from '#contract/parts/text.ts'
import { mailSink } from '#server/platform/mail/testing.ts'
import { type Account, signIn, signUp } from '#testing/account.ts'
import { createJournal, invite, loafEntries } from '#testing/journal.ts'
import { startServer } from '#testing/start-server.ts'
import { expect, expectNoSidewaysScroll, openApp, sizes, test, visitor } from './fixtures/journey.ts'

const NARROW = { width: 320, height: 640 }

/** A screen, and the button that opens a dialog on it, if that is what is looked at. */
type Screen = { path: string; opens?: string }

/** What shows the longest labels and the fullest rows: an administrator with two sessions, whose email address is not confirmed. */
async function fill(me: Account, origin: string): Promise<Screen[]> {
  await signIn(origin, me)
  const journal = await createJournal(me, loafEntries(8), { isPublic: true })
  const { projectId, milestoneId, projectPath, listPath, entryPath } = journal
  const token = await invite(me, projectId, { email: 'grace@example.com' })
  await me.call('inviteToServer', { body: { email: 'somebody.with.a.long.name@example.com' } })
  const entryId = journal.entries[0]?._id
  // Beside it in the story, in lists and in the activity.
  const params = { milestoneId, entryId: journal.entries[1]?._id ?? '' }
  await me.call('updateEntry', { params, body: { title: 'x'.repeat(TITLE_MAX) } })
  const composer = `${projectPath}?edit=${entryId}&milestone=${milestoneId}`
  const paths = `
    / /about /terms /markdown-guide /forgot-password /nowhere
    /reset-password/none /email-change/none /verify-email/none /invite/none /invite/${token}
    /dashboard /dashboard?q=none /collaborations /collaborations?q=none /settings /trash /admin
    ${projectPath} ${listPath} ${listPath}&q=none ${projectPath}/activity ${entryPath(0)} ${composer}
    /world/${projectId} /world/${projectId}/entries/${entryId} /world/none
  `
  return paths
    .trim()
    .split(/\s+/)
    .map((path): Screen => ({ path }))
    .concat(
      { path: '/dashboard', opens: 'New Project' },
      { path: projectPath, opens: 'Share' },
      { path: projectPath, opens: 'Collaborators' },
      { path: projectPath, opens: 'Add Milestone' },
      { path: entryPath(0), opens: 'History' },
      { path: '/settings', opens: 'New access token' },
      { path: '/settings', opens: 'Turn on two-step sign-in' },
    )
}

async function open(page: Page, { path, opens }: Screen): Promise<void> {
  await openApp(page, path)
  if (opens === undefined) {
    // The composer hides the page below it from roles.
    await page.locator('h1').first().waitFor({ state: 'attached' })
    if (path.includes('q=none'))
      await expect(page.getByRole('button', { name: /^Clear (Search|filters)$/ })).toBeVisible()
    await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0)
  } else {
    await page.getByRole('button', { name: opens, exact: true }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
  }
}

async function expectNothingCut(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page)
  for (const dialog of await page.getByRole('dialog').all())
    expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
}

test('no screen scrolls sideways in 320 pixels, nor in 390 with text of twice the size, of which the composer’s header takes a third', {
  tag: '@long',
}, async ({ browser }) => {
  test.slow()
  const sink = await mailSink()
  const { host, port } = sink.settings().server
  const server = await startServer({
    SMTP_URL: `smtp://${host}:${port}`,
    MAIL_FROM: 'Milepost <post@example.test>',
  })
  // The first account of a server is its administrator.
  const page = await visitor(browser, { baseURL: server.url })
  const me = await signUp(page, server.url)
  for (const screen of await fill(me, server.url)) {
    await test.step(`${screen.path} ${screen.opens ?? ''}`, async () => {
      await page.setViewportSize(NARROW)
      await open(page, screen)
      await expectNothingCut(page)
      await page.setViewportSize(sizes.phone)
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
      })
      await expectNothingCut(page)
      if (screen.path.includes('?edit='))
        await expect
          .poll(async () => (await page.getByRole('dialog').locator('header').boundingBox())?.height)
          .toBeLessThan(sizes.phone.height / 3)
    })
  }
  await page.context().close()
  await server.stop()
  await sink.stop()
})
