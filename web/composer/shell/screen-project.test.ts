import { expect, test } from 'vitest'
import { screenProject } from './screen-project.ts'

const own = { projectId: 'p', isPublicPage: false }
const open = { projectId: 'p', isPublicPage: true }

test.each([
  ['/projects/p', '', own],
  ['/projects/p', '?selected=m', { ...own, milestoneId: 'm' }],
  ['/projects/p', '?selected=all', own],
  ['/projects/p', '?selected=all&q=rye&page=2', own],
  ['/projects/p', '?edit=e&milestone=m', { ...own, milestoneId: 'm' }],
  ['/projects/p/activity', '', own],
  ['/projects/p/milestones/m/entries/e', '', { ...own, milestoneId: 'm' }],
  ['/world/p', '', open],
  ['/world/p', '?milestone=m', { ...open, milestoneId: 'm' }],
  ['/world/p', '?tag=rye', open],
  ['/world/p/entries/e', '', { ...open, entryId: 'e' }],
])('%s%s shows a project', (pathname, search, expected) => {
  expect(screenProject(pathname, search)).toEqual(expected)
})

test.each(['/', '/dashboard', '/settings', '/trash', '/collaborations', '/about', '/projects', '/world'])(
  '%s shows none',
  (pathname) => expect(screenProject(pathname, '?selected=m')).toBeNull(),
)
