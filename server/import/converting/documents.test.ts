import { expect, it } from 'vitest'
import { faultOfFile } from './documents.ts'

const MEGABYTE = 1024 * 1024
const limits = { picture: 25 * MEGABYTE, video: 200 * MEGABYTE, other: 25 * MEGABYTE, perEntry: 100 }

it('a file of an archive that is too large is told the limit that an upload is told', () => {
  expect(faultOfFile({ path: 'keel.jpg', size: limits.picture }, limits)).toBeUndefined()
  expect(faultOfFile({ path: 'keel.jpg', size: limits.picture + 1 }, limits)).toContain('the 25 MB that')
})
