import { expect, it } from 'vitest'
import { MEGABYTE } from '#contract/parts/sizes.ts'
import { faultOfFile } from './documents.ts'

const limits = { picture: 25 * MEGABYTE, video: 200 * MEGABYTE, other: 25 * MEGABYTE, perEntry: 100 }

it('a file of an archive that is too large is refused with the limit of an upload', () => {
  expect(faultOfFile({ path: 'keel.jpg', size: limits.picture }, limits)).toBeUndefined()
  expect(faultOfFile({ path: 'keel.jpg', size: limits.picture + 1 }, limits)).toContain('the 25 MB that')
})
