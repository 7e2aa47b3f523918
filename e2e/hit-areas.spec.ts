import { randomUUID } from 'node:crypto'
import { createJournal } from '#testing/journal.ts'
import { smallHitAreas } from './fixtures/hit-areas.ts'
import { expect, openApp, sizes, test } from './fixtures/journey.ts'

const pointers = [
  { pointer: 'mouse', size: 24, use: { viewport: sizes.desktop } },
  { pointer: 'finger', size: 40, use: { viewport: sizes.phone, hasTouch: true, isMobile: true } },
] as const

for (const { pointer, size, use } of pointers) {
  test.describe(() => {
    test.use(use)

    test(`a ${pointer} hits every control of the daily screens, which have ${size} pixels at least`, {
      ...(pointer === 'mouse' && { tag: '@long' }),
    }, async ({ page, me }) => {
      const entry = { title: 'Rye', content: 'It rose.\n\n- [ ] feed it', tags: ['bread', 'rye'] }
      const { projectId, listPath, entryPath } = await createJournal(me, [entry, { title: 'Wheat' }], {
        isPublic: true,
      })
      const planned = { title: 'The oven', description: 'Bricks', completed: true, dueOn: '2026-01-02' }
      await me.call('createMilestone', { params: { projectId }, body: planned })
      const body = { title: 'Oat', content: 'Not yet' }
      await me.call('saveDraft', { params: { draftId: randomUUID() }, body })

      for (const path of ['/dashboard', listPath, entryPath(0)]) {
        await openApp(page, path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(page.getByText('Wheat').first()).toBeVisible()
        expect(await smallHitAreas(page, size), path).toEqual([])
      }
      await page.getByRole('link', { name: 'Edit', exact: true }).click()
      await expect(page.getByLabel('Content')).toBeVisible()
      expect(await smallHitAreas(page, size)).toEqual([])
    })
  })
}
