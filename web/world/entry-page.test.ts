import { expect, test } from 'vitest'
import { entryPage } from './entry-page.server.ts'
import { aMilestone, anEntry, aWorld } from './testing.ts'

const world = aWorld([
  aMilestone({ _id: 'other', entries: [anEntry({ _id: 'elsewhere' })] }),
  aMilestone({
    _id: 'trail',
    entries: [
      anEntry({ _id: 'newest' }),
      anEntry({ _id: 'middle', content: 'It **rose**. <script>alert(1)</script>' }),
      anEntry({ _id: 'oldest' }),
    ],
  }),
])

test('an entry is found in whichever milestone it stands, as safe HTML', () => {
  const page = entryPage(world, 'middle')
  expect(page?.milestone._id).toBe('trail')
  expect(page?.entry.html).toContain('<strong>rose</strong>')
  expect(page?.entry.html).not.toContain('<script>')
  expect(page?.entry).not.toHaveProperty('content')
})

test('its neighbours are those of its milestone, in the order in which they were written', () => {
  expect(entryPage(world, 'middle')).toMatchObject({ previous: { _id: 'oldest' }, next: { _id: 'newest' } })
  expect(entryPage(world, 'newest')).toMatchObject({ previous: { _id: 'middle' }, next: null })
  expect(entryPage(world, 'elsewhere')).toMatchObject({ previous: null, next: null })
})

test('an entry that is not there is null', () => {
  expect(entryPage(world, 'gone')).toBeNull()
})
