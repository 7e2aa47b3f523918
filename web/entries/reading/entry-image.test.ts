import { expect, test } from 'vitest'
import { showsImage } from './entry-image.tsx'

const html = '<p><span class="media"><img src="/api/media/0199/widest?reader=1&amp;proof=2"></span></p>'

test('a cover that the text contains in any width is not shown above it again', () => {
  expect(showsImage(html, '/api/media/0199/w960?reader=1&proof=2')).toBe(true)
  expect(showsImage(html, '/api/media/0200/widest')).toBe(false)
  expect(showsImage(html, undefined)).toBe(false)
  expect(showsImage('', '/api/media/0199/widest')).toBe(false)
})
