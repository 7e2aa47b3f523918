import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '#web/api/api-error.ts'
import { withPlace } from './refused-entry.ts'

const json = (body: object, status = 200) => Response.json(body, { status })
const absent = { code: 'not_found', message: 'Project not found' }
const refused = new ApiError(404, 'not_found', 'Milestone not found', { isFromServer: true })
const rights = (canEdit: boolean) => ({
  canView: canEdit,
  canEdit,
  canManageCollaborators: false,
  isOwner: false,
  role: null,
})

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['a former member', () => json(rights(false)), /^You are no longer a member of this project, or it was/],
  ['a deleted project', () => json(absent, 404), /^You are no longer a member of this project, or it was/],
  [
    'a deleted milestone',
    (url: string) => json(url.endsWith('/permissions') ? rights(true) : []),
    /^The milestone was deleted/,
  ],
  ['a server that does not answer', () => json({}, 503), /^Milestone not found$/],
])('a new entry in an absent milestone is refused with what happened: %s', async (_what, answer, message) => {
  vi.stubGlobal('fetch', (url: string) => Promise.resolve(answer(url)))
  expect(await withPlace(new QueryClient(), 'canoe', refused)).toMatchObject({
    message: expect.stringMatching(message),
    isFromServer: true,
  })
})

test('another refusal stays as it is', async () => {
  const stale = new ApiError(403, 'forbidden', 'No')
  expect(await withPlace(new QueryClient(), 'canoe', stale)).toBe(stale)
})
