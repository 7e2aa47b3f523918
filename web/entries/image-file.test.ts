import { expect, test } from 'vitest'
import { FILE_BYTES_MAX } from '#contract/wire.ts'
import { fileSize, NOT_AN_IMAGE, pastedFile, refusalOf, TOO_LARGE } from './image-file.ts'

const blob = (type: string, size = 1) => ({ type, size }) as Blob

test.each(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', ''])(
  'a file of type "%s" may be an image, up to 10 MB',
  (type) => {
    expect(refusalOf(blob(type, FILE_BYTES_MAX))).toBeNull()
    expect(refusalOf(blob(type, FILE_BYTES_MAX + 1))).toBe(TOO_LARGE)
  },
)

test.each(['image/svg+xml', 'image/heic', 'application/pdf', 'text/html'])('%s may not', (type) => {
  expect(refusalOf(blob(type))).toBe(NOT_AN_IMAGE)
})

const transfer = (text: string, ...files: File[]) =>
  ({ files, getData: () => text }) as unknown as DataTransfer

test('of what is pasted, the first file is taken, but text where there is any', () => {
  const file = new File([''], 'loaf.png')
  expect(pastedFile(transfer('', file, new File([''], 'crumb.png')))).toBe(file)
  expect(pastedFile(transfer('flour', file))).toBeUndefined()
  expect(pastedFile(transfer(''))).toBeUndefined()
})

test('sizes are said in KB and MB', () => {
  expect(fileSize(1)).toBe('1 KB')
  expect(fileSize(300_000)).toBe('293 KB')
  expect(fileSize(FILE_BYTES_MAX)).toBe('10.0 MB')
})
