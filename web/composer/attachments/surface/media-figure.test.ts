import { expect, test } from 'vitest'
import { knownKind } from './media-figure.tsx'

test('a file of the text is drawn as a picture until the server has told what it is', () => {
  expect(knownKind(undefined, undefined)).toBe('image')
  expect(knownKind(undefined, { type: 'video/mp4' })).toBe('video')
  expect(knownKind(null, undefined)).toBe('other')
})
