import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '#markdown/render.ts'
import {
  addedText,
  countTypedWords,
  fileReferences,
  insertReferences,
  referenceText,
  referredIds,
  removeReference,
} from './file-text.ts'

const ID = '0199a0b0-0000-7000-8000-00000000000a'
const OTHER = '0199a0b0-0000-7000-8000-00000000000b'
const picture = `![](/files/${ID})`

const apply = (text: string, { from, to, insert }: { from: number; to: number; insert: string }) =>
  text.slice(0, from) + insert + text.slice(to)

describe('fileReferences', () => {
  test('finds pictures and links with their words and captions', () => {
    const text = `Bread\n\n![A loaf](/files/${ID} "Day 3") and [the recipe](/files/${OTHER})`
    expect(fileReferences(text)).toEqual([
      { id: ID, from: 7, to: 7 + 62, isShown: true, words: 'A loaf', caption: 'Day 3' },
      expect.objectContaining({ id: OTHER, isShown: false, words: 'the recipe', caption: '' }),
    ])
    const [first] = fileReferences(text)
    expect(text.slice(first?.from, first?.to)).toBe(`![A loaf](/files/${ID} "Day 3")`)
  })

  test('finds nothing in text that resembles a reference', () => {
    expect(fileReferences('![x](/images/1) [y](https://example.org/files/1) (/files/1)')).toEqual([])
    expect(fileReferences(`a](/files/${ID})`)).toEqual([])
    expect(fileReferences(`[open\nline](/files/${ID})`)).toEqual([])
  })

  test('counts a file once that is shown twice', () => {
    expect(referredIds(`${picture}\n${picture}`)).toEqual([ID])
  })

  test('takes linear time', () => {
    const reads = (text: string) => fileReferences(text).length
    expect(reads('!['.repeat(100_000))).toBe(0)
    expect(reads(`](/files/${ID} "`.repeat(3_000))).toBe(0)
  })
})

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
    `![](/files/${ID})\n![Rise \\[1\\].mp4](/files/${OTHER})\n[recipe.pdf](/files/${ID})`,
  )
})

describe('insertReferences', () => {
  const insert = (before: string, after = '') => {
    const text = before + after
    return apply(text, insertReferences({ text, start: before.length, end: before.length }, picture))
  }

  test.each([
    ['an empty text', '', '', `${picture}\n`],
    ['the end of a line', 'Bread', '', `Bread\n\n${picture}\n`],
    ['the line after a paragraph', 'Bread\n', '', `Bread\n\n${picture}\n`],
    ['an empty line between paragraphs', 'Bread\n\n', '\n\nWater', `Bread\n\n${picture}\n\nWater`],
    ['the middle of a sentence', 'Bread and', ' water', `Bread and\n\n${picture}\n\n water`],
    ['the line after a picture', `${picture}\n`, '', `${picture}\n${picture}\n`],
    ['the end of a picture', picture, '', `${picture}\n${picture}\n`],
    ['the line before a picture', 'Bread\n\n', picture, `Bread\n\n${picture}\n${picture}`],
  ])('creates a paragraph, or joins adjacent pictures: %s', (_where, before, after, expected) => {
    expect(insert(before, after)).toBe(expected)
  })
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
