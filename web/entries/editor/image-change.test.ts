import { expect, test } from 'vitest'
import type { Entry } from '#contract/entries.ts'
import { IMAGE_BYTES_MAX } from '#contract/wire.ts'
import { ApiError } from '#web/api/api-error.ts'
import { toFormData } from '#web/api/client.ts'
import {
  IMAGE_CHANGED,
  imageError,
  NOT_AN_IMAGE,
  pastedFile,
  TOO_LARGE,
  watchImage,
  withImage,
} from './image-change.ts'

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

const transfer = (text: string, ...files: File[]) =>
  ({ files, getData: () => text }) as unknown as DataTransfer

test('the first pasted file is used, unless there is text', () => {
  const file = new File([''], 'loaf.png')
  expect(pastedFile(transfer('', file, new File([''], 'crumb.png')))).toBe(file)
  expect(pastedFile(transfer('flour', file))).toBeUndefined()
  expect(pastedFile(transfer(''))).toBeUndefined()
})

const fields = { title: 'Rye', content: 'It rose.', tags: ['bread', 'rye'] }
const file = new File(['crumb'], 'loaf.png', { type: 'image/png' })
const sent = (input: object) => Object.fromEntries(toFormData(input))
const text = { title: 'Rye', content: 'It rose.', tags: '["bread","rye"]' }

test('an entry is sent with its tags as JSON, and without an unchanged image', () => {
  expect(sent(withImage(fields, null))).toEqual(text)
})

test('a chosen image is sent as a file', () => {
  const form = sent(withImage(fields, file))
  expect(form).toEqual({ ...text, image: expect.any(File) })
  expect(form.image).toMatchObject({ name: 'loaf.png', type: 'image/png', size: 5 })
})

test('an image is removed by removeImage', () => {
  expect(sent(withImage(fields, 'remove'))).toEqual({ ...text, removeImage: 'true' })
})

test('an image that was saved elsewhere is reported once before it is overwritten', () => {
  const entry = (imageURL?: string) => ({ version: 2, imageURL }) as Entry
  const stale = (imageURL?: string) => new ApiError(412, 'stale', 'Changed', { current: entry(imageURL) })
  const file = new File([''], 'loaf.png')
  const opened = entry('/files/1?token=a')
  const conflict = watchImage(opened)
  expect(conflict(stale('/files/1?token=b'), file)).toBeNull()
  expect(conflict(stale('/files/2?token=a'), file)).toMatchObject({ message: IMAGE_CHANGED })
  expect(conflict(stale('/files/2?token=b'), file)).toBeNull()
  expect(conflict(new TypeError('fetch failed'), file)).toBeNull()
  expect(watchImage(opened)(stale('/files/2'), 'remove')).toMatchObject({ message: IMAGE_CHANGED })
  expect(watchImage(opened)(stale(), 'remove')).toBeNull()
  expect(watchImage(opened)(stale('/files/2'), null)).toBeNull()
})

test('the image of a new entry that an earlier attempt created does not hide the conflict of its texts', () => {
  const current = { version: 2, imageURL: '/files/1' } as Entry
  const conflict = watchImage(undefined)
  expect(conflict(new ApiError(412, 'stale', 'Changed', { current }), new File([''], 'loaf.png'))).toBeNull()
})
