import { expect, test } from 'vitest'
import type { Entry } from '#contract/entries.ts'
import { formOf } from '#web/api/form.ts'
import { shownAs, withImage } from './written.ts'

const fields = { title: 'Rye', content: 'It rose.', tags: ['bread', 'rye'] }
const file = new File(['crumb'], 'loaf.png', { type: 'image/png' })

const image = { smallURL: '/api/media/1/small', width: 900, height: 600 }
const entry: Entry = {
  _id: '1',
  title: 'Wheat',
  content: 'It did not.',
  excerpt: 'It did not.',
  wordCount: 3,
  renderedAs: 'markdown',
  tags: [],
  imageURL: '/api/media/1/full',
  image,
  milestone: 'm',
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-01T12:00:00.000Z',
  version: 1,
}

const sent = (written: object) => Object.fromEntries(formOf(written))
const text = { title: 'Rye', content: 'It rose.', tags: '["bread","rye"]' }

test('an entry travels with its tags as JSON, and says nothing of an image that stays', () => {
  expect(sent(withImage(fields, null))).toEqual(text)
})

test('a chosen image travels as the file that it is', () => {
  const form = sent(withImage(fields, file))
  expect(form).toEqual({ ...text, image: expect.any(File) })
  expect(form.image).toMatchObject({ name: 'loaf.png', type: 'image/png', size: 5 })
})

test('an image is taken away by removeImage', () => {
  expect(sent(withImage(fields, 'remove'))).toEqual({ ...text, removeImage: 'true' })
})

test('before the server answers, an entry shows its new text and the image that it has', () => {
  const shown = { ...entry, ...fields, excerpt: 'It rose.' }
  expect(shownAs(entry, withImage(fields, file))).toEqual(shown)
  expect(shownAs(entry, withImage(fields, null))).toEqual(shown)
})

test('before the server answers, an image that is taken away is gone', () => {
  const shown = shownAs(entry, withImage(fields, 'remove'))
  expect(shown).not.toHaveProperty('imageURL')
  expect(shown).not.toHaveProperty('image')
  expect(shown).not.toHaveProperty('removeImage')
})

test('before the server answers, HTML is shown of the same content alone', () => {
  const read = { ...entry, html: '<p>It did not.</p>' }
  expect(shownAs(read, withImage({ ...fields, content: read.content }, null))).toMatchObject({
    html: read.html,
    excerpt: read.excerpt,
  })
  expect(shownAs(read, withImage(fields, null)).html).toBeUndefined()
})
