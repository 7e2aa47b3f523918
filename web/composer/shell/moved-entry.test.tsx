import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import type { ListedDraft } from '#contract/drafts.ts'
import type { findDraftOf } from '#web/drafts/queries.ts'
import { findMovedMilestone, MovedEntry } from './moved-entry.tsx'

const draft = {
  entry: { _id: 'rye', title: 'Rye' },
  milestone: { _id: 'lumber', title: 'Lumber' },
  project: { _id: 'canoe', title: 'A canoe' },
  canEdit: true,
} as ListedDraft

const moved = {
  projectId: 'canoe',
  projectTitle: 'A canoe',
  milestoneId: 'lumber',
  milestoneTitle: 'Lumber',
}

const found = (changes: Partial<ListedDraft>) =>
  findMovedMilestone('rye', 'loaf', () => Promise.resolve({ ...draft, ...changes }))

test('a moved entry is found by the milestone of its draft', async () => {
  const find = vi.fn<typeof findDraftOf>(() => Promise.resolve(draft))
  expect(await findMovedMilestone('rye', 'loaf', find)).toEqual(moved)
  expect(find).toHaveBeenCalledWith('rye')
})

test('without a draft, which another tab may have saved, the entry itself is located', async () => {
  const locate = vi.fn<(entryId: string) => Promise<typeof moved>>(() => Promise.resolve(moved))
  const find = () => Promise.resolve(null)
  expect(await findMovedMilestone('rye', 'loaf', find, locate)).toEqual(moved)
  expect(locate).toHaveBeenCalledWith('rye')
  expect(await findMovedMilestone('rye', 'lumber', find, locate)).toBeNull()
  expect(await findMovedMilestone('rye', 'loaf', find, () => Promise.resolve(null))).toBeNull()
  expect(await findMovedMilestone('rye', 'loaf', find, () => Promise.reject(new Error('deleted')))).toBeNull()
})

test('no location is returned for a deleted, hidden, read-only or unmoved entry', async () => {
  expect(await found({ entry: null })).toBeNull()
  expect(await found({ entry: null, milestone: null, project: null, canEdit: false })).toBeNull()
  expect(await found({ canEdit: false })).toBeNull()
  expect(await found({ milestone: { _id: 'loaf', title: 'The first loaf' } })).toBeNull()
  expect(await findMovedMilestone('rye', 'loaf', () => Promise.reject(new Error('offline')))).toBeNull()
})

test('the banner shows the new milestone, with a button that opens the entry there', () => {
  const banner = (hasText: boolean) =>
    renderToStaticMarkup(<MovedEntry moved={moved} hasText={hasText} onOpen={() => {}} />)
  expect(banner(true)).toContain('<bdi>Lumber</bdi> in <bdi>A canoe</bdi>. What you wrote is still here.')
  expect(banner(true)).toContain('Open it there')
  expect(banner(false)).toContain('<bdi>Lumber</bdi> in <bdi>A canoe</bdi>.</p>')
})
