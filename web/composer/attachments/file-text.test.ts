import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '#markdown/render.ts'
import { fileReferences } from '#web/files/file-references.ts'
import {
  addedText,
  countTypedWords,
  insertReferences,
  placeAfterTyping,
  referenceText,
  removeReference,
  separatePictures,
} from './file-text.ts'

const ID = '0199a0b0-0000-7000-8000-00000000000a'
const OTHER = '0199a0b0-0000-7000-8000-00000000000b'
const picture = `![](/files/${ID})`

const apply = (text: string, { from, to, insert }: { from: number; to: number; insert: string }) =>
  text.slice(0, from) + insert + text.slice(to)

test.each([
  'A loaf',
  'a [link](x) and `code`',
  '*not* _emphasis_ \\ "quoted"',
  '5 < 6 & 7 > 3',
  '![](/x)',
  '$2 | ~~3~~',
])('an alternative text and caption are read as typed: %s', (words) => {
  const text = referenceText({ id: ID, isShown: true, words, caption: words })
  expect(fileReferences(text)).toMatchObject([{ id: ID, words, caption: words }])
  const box = renderMarkdown(text).html
  const attribute = words
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
  expect(box).toContain(`alt="${attribute}"`)
  expect(box).toContain(`title="${attribute}"`)
})

test('pictures get no alternative text; videos, audio and downloads get the file name', () => {
  const files = [
    { id: ID, name: 'IMG_2041.jpg', kind: 'image' },
    { id: OTHER, name: 'Rise [1].mp4', kind: 'video' },
    { id: ID, name: 'recipe.pdf', kind: 'other' },
  ] as const
  expect(addedText(files)).toBe(
    `![](/files/${ID})\n![Rise \\[1\\].mp4](/files/${OTHER})\n\n[recipe.pdf](/files/${ID})`,
  )
})

describe('insertReferences', () => {
  /** Marks the caret by a bar. */
  const insert = (before: string, after = '') => {
    const text = before + after
    const edit = insertReferences({ text, start: before.length, end: before.length }, picture)
    const inserted = apply(text, edit)
    return `${inserted.slice(0, edit.start)}|${inserted.slice(edit.start)}`
  }

  test.each([
    ['an empty text', '', '', `${picture}\n\n|`],
    ['the end of a line', 'Bread', '', `Bread\n\n${picture}\n\n|`],
    ['the line after a paragraph', 'Bread\n', '', `Bread\n\n${picture}\n\n|`],
    ['an empty line between paragraphs', 'Bread\n\n', '\n\nWater', `Bread\n\n${picture}\n\n|\n\nWater`],
    ['the line above a paragraph', '', '\nWater', `${picture}\n\n|\n\nWater`],
    ['the middle of a sentence', 'Bread and', ' water', `Bread and\n\n${picture}\n\n| water`],
    ['the line after a picture', `${picture}\n`, '', `${picture}\n${picture}\n\n|`],
    ['the end of a picture', picture, '', `${picture}\n${picture}\n\n|`],
    ['below the empty line after a picture', `${picture}\n\n`, '', `${picture}\n${picture}\n\n|`],
    ['the line before a picture', 'Bread\n\n', picture, `Bread\n\n${picture}\n${picture}\n\n|`],
    [
      'between pictures and words',
      `${picture}\n`,
      `\n${picture}\n\nWater`,
      `${picture}\n${picture}\n${picture}\n\n|\n\nWater`,
    ],
    ['far below a picture', `${picture}\n\n\n`, '', `${picture}\n\n\n${picture}\n\n|`],
  ])('creates a paragraph, or joins adjacent pictures: %s', (_where, before, after, expected) => {
    expect(insert(before, after)).toBe(expected)
  })

  test('what is typed at the caret is no part of the gallery, wherever the pictures went', () => {
    const part = fc.constantFrom('', 'Bread', '\n', '\n\n', picture, `${picture}\n`, ' ')
    fc.assert(
      fc.property(fc.array(part), fc.array(part), (before, after) => {
        const start = before.join('').length
        const text = before.join('') + after.join('')
        const edit = insertReferences({ text, start, end: start }, picture)
        const inserted = apply(text, edit)
        expect(inserted.slice(0, edit.start)).toMatch(/\)\s*\n\n$/)
        expect(inserted.replaceAll(/\s/g, '').length - text.replaceAll(/\s/g, '').length).toBe(picture.length)
      }),
    )
  })
})

describe('separatePictures', () => {
  test.each([
    ['words below', `${picture}\nBread`, `${picture}\n\nBread`],
    ['words above', `Bread\n${picture}`, `Bread\n\n${picture}`],
    ['words around a gallery', `a\n${picture}\n${picture}\nb`, `a\n\n${picture}\n${picture}\n\nb`],
    ['a list above', `- a\n${picture}`, `- a\n\n${picture}`],
    ['after code', `\`\`\`\na\n\`\`\`\n${picture}\nb`, `\`\`\`\na\n\`\`\`\n\n${picture}\n\nb`],
  ])('gives pictures a paragraph of their own: %s', (_where, text, expected) => {
    expect(separatePictures(text)).toBe(expected)
  })

  test.each([
    ['a paragraph of their own', `Bread\n\n${picture}\n${picture}\n\nWater`],
    ['a picture within a line', `Bread ${picture}\nWater`],
    ['a picture of another site', 'Bread\n![a](https://example.org/a.png)\nWater'],
    ['a download', `Bread\n[recipe.pdf](/files/${ID})\nWater`],
    ['code', `\`\`\`\nBread\n${picture}\nWater\n\`\`\``],
    ['code that has no end', `~~~~\nBread\n~~~\n${picture}\nWater`],
    ['a picture within a list item', `- Bread\n  ${picture}\n- Water`],
  ])('leaves alone: %s', (_what, text) => expect(separatePictures(text)).toBe(text))

  test('changes nothing but empty lines, and nothing the second time', () => {
    const line = fc.constantFrom(
      '',
      'Bread',
      picture,
      `${picture} ${picture}`,
      '```',
      '~~~',
      '- a',
      '> b',
      '---',
    )
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const separated = separatePictures(lines.join('\n'))
        expect(separatePictures(separated)).toBe(separated)
        const written = (some: string[]) => some.filter((one) => one !== '')
        expect(written(separated.split('\n'))).toEqual(written(lines))
      }),
    )
  })
})

test.each([
  ['above', 'It rose.', 3, 'It did rose.', 3],
  ['below', 'It rose.', 8, 'Then it rose.', 13],
  ['nowhere', 'It rose.', 3, 'It rose.', 3],
])('finds the caret again after typing %s it', (_where, text, end, now, expected) => {
  expect(placeAfterTyping({ text, start: end, end }, now)).toBe(expected)
})

describe('removeReference', () => {
  const remove = (text: string) => {
    const [reference] = fileReferences(text)
    return reference ? apply(text, removeReference(text, reference)) : text
  }

  test('removes the line as well if nothing else is on it', () => {
    expect(remove(`Bread\n\n${picture}\n\nWater`)).toBe('Bread\n\n\nWater')
    expect(remove(`${picture}\n![b](/files/${OTHER})`)).toBe(`![b](/files/${OTHER})`)
    expect(remove(picture)).toBe('')
  })

  test('leaves the words around it', () => {
    expect(remove(`Bread ${picture} water`)).toBe('Bread  water')
  })
})

test.each([
  ['It rose.', 2],
  [`It rose.\n\n![](/files/${ID})\n![A loaf](/files/${ID} "Day 1")`, 4],
  ['# Loaf\n\n- [ ] feed\n- bake 2', 4],
  ['', 0],
])('counts the words of %j that were typed', (text, count) => {
  expect(countTypedWords(text)).toBe(count)
})
