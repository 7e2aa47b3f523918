import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { documentOf } from './files.ts'
import { createFolder, fileNameOf, slugOf } from './names.ts'

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    'CON',
    'aux.txt',
    'a/../b',
    '..',
    'x. ',
    'lpt1',
    '\u202egnp.exe',
    'e\u0301',
    'é',
    'É',
    'Straße',
    'STRASSE',
  ),
)

test('a file name in an archive is unique and valid on every system', () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 8 }), (wanted) => {
      const name = createFolder()
      const names = wanted.flatMap((text) => [name(slugOf(text)), name(fileNameOf(text))])
      for (const one of names) {
        expect(one).toBe(one.normalize('NFC'))
        expect(one).not.toMatch(/(?![\u200C\u200D])\p{Cf}|[\p{Cc}<>:"/\\|?*]|^[. ]|[. ]$/u)
        expect(one).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i)
        expect(Buffer.byteLength(one)).toBeLessThan(100)
        expect(one).not.toBe('')
      }
      expect(new Set(names.map((one) => one.toUpperCase())).size).toBe(names.length)
    }),
    { seed: 1 },
  )
})

test('a name without an extension is kept, and numbered behind its end', () => {
  const name = createFolder()
  const names = ['LICENSE', 'Makefile', 'Makefile', 'CON', 'trail.', '..', 'a.txt', 'A.txt'].map((given) =>
    name(fileNameOf(given)),
  )
  expect(names).toEqual(['LICENSE', 'Makefile', 'Makefile-2', '_CON', 'trail', 'file', 'a.txt', 'A-2.txt'])
  expect(['Canoe', 'Canoe'].map((title) => name(slugOf(title)))).toEqual(['canoe', 'canoe-2'])
})

test('a name keeps the joiners of emoji and scripts, which distinguish no names', () => {
  const name = createFolder()
  const joined = ['👩\u200D👧.jpg', 'می\u200Cخواهم.pdf']
  expect(joined.map((given) => name(fileNameOf(given)))).toEqual(joined)
  expect(name(fileNameOf('میخواهم.pdf'))).toBe('میخواهم-2.pdf')
})

test('a name that joiners begin is not invisible, and none of git on systems that ignore them', () => {
  const given = ['\u200C.git', '.\u200Dgit', '\u200D. \u200C', '\u200Ba\u200D.', '\u200D.jpg']
  expect(given.map(fileNameOf)).toEqual(['file.git', 'git', 'file', '-a', 'file.jpg'])
})

test('the front matter of a document is valid YAML for any values', () => {
  fc.assert(
    fc.property(texts, fc.array(texts), (title, tags) => {
      const [, matter = ''] = documentOf(
        { title: title.toWellFormed(), tags: tags.map((tag) => tag.toWellFormed()) },
        'x',
      ).split('---\n')
      expect(parse(matter)).toEqual({
        title: title.toWellFormed(),
        tags: tags.map((tag) => tag.toWellFormed()),
      })
    }),
    { seed: 1 },
  )
})
