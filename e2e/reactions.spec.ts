import { createJournal, loafEntries } from '#testing/journal.ts'
import { expectFitting } from './fixtures/accessibility.ts'
import { expect, expectNoSidewaysScroll, openApp, test, visitor, waitUntilReady } from './fixtures/journey.ts'

test('readers react to an entry with one press, once its project offers it, also without scripts', {
  tag: '@long',
}, async ({ page, browser, me }) => {
  const { projectId, milestoneId, entries } = await createJournal(me, loafEntries(1), { isPublic: true })
  const entryId = entries[0]?._id ?? ''
  const path = `/world/${projectId}/entries/${entryId}`
  const reader = await visitor(browser)
  await openApp(reader, path)
  await expect(reader.getByRole('form', { name: 'Reactions' })).toHaveCount(0)

  await openApp(page, '/dashboard')
  await page.getByRole('button', { name: 'Share A bakery' }).click()
  const share = page.getByRole('dialog', { name: 'Share Project' })
  await share.getByLabel('Readers can react to entries').check()
  await expect
    .poll(async () => (await me.call('readReaders', { params: { projectId } })).reactions)
    .toBe(true)

  const loaded = reader.waitForResponse((response) => response.url().endsWith('/reactions'))
  await openApp(reader, path)
  const reactions = reader.getByRole('form', { name: 'Reactions' })
  const lovely = reactions.getByRole('button', { name: 'Lovely' })
  await expect(lovely).toHaveAttribute('aria-pressed', 'false')
  await reactions.scrollIntoViewIfNeeded()
  await loaded
  await lovely.focus()
  await reader.keyboard.press('Enter')
  await expect(lovely).toHaveAccessibleName('Lovely 1')
  await expect(lovely).toHaveAttribute('aria-pressed', 'true')
  await expectFitting(reader)
  await reader.reload()
  await waitUntilReady(reader)
  await reactions.scrollIntoViewIfNeeded()
  await expect(lovely).toHaveAttribute('aria-pressed', 'true')
  await reactions.getByRole('button', { name: 'Well done' }).press('Space')
  await expect(reactions.getByRole('button', { name: 'Well done' })).toHaveAccessibleName('Well done 1')
  await lovely.press('Enter')
  await expect(lovely).toHaveAccessibleName('Lovely')

  const plain = await browser.newContext({
    baseURL: new URL(page.url()).origin,
    javaScriptEnabled: false,
    userAgent: 'A plain browser',
    viewport: { width: 320, height: 640 },
  })
  const old = await plain.newPage()
  await old.goto(path)
  await old.getByRole('link', { name: 'See the reactions' }).click()
  await expect(old.getByRole('heading', { name: 'Reactions' })).toBeVisible()
  await expect(old.getByRole('button', { name: 'Well done 1' })).toHaveAttribute('aria-pressed', 'false')
  await old.getByRole('button', { name: 'Well done 1' }).click()
  await expect(old.getByRole('button', { name: 'Well done 2' })).toHaveAttribute('aria-pressed', 'true')
  await old.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
  })
  await expectNoSidewaysScroll(old)
  await old.getByRole('button', { name: 'Well done 2' }).click()
  await old.getByRole('link', { name: 'To the entry' }).click()
  await plain.close()

  await openApp(page, `/projects/${projectId}/milestones/${milestoneId}/entries/${entryId}`)
  const line = page.getByRole('region', { name: 'Reactions of readers' })
  await expect(line).toHaveText('Well done 1')
  await expectFitting(page)
  await openApp(reader, `${path}/reactions`)
  await expectFitting(reader)
  await reader.context().close()
})
