import { expect, test } from 'vitest'
import { IMAGE_BYTES_MAX } from '#contract/parts/wire.ts'
import { imageError, NOT_AN_IMAGE, TOO_LARGE } from './image-choice.ts'

const blob = (type: string, size = 1) => ({ type, size }) as Blob

test.each(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', ''])(
  'a file of type "%s" may be an image, up to 10 MB',
  (type) => {
    expect(imageError(blob(type, IMAGE_BYTES_MAX))).toBeNull()
    expect(imageError(blob(type, IMAGE_BYTES_MAX + 1))).toBe(TOO_LARGE)
  },
)

test.each(['image/svg+xml', 'image/heic', 'application/pdf', 'text/html'])('%s may not', (type) => {
  expect(imageError(blob(type))).toBe(NOT_AN_IMAGE)
})
