import { describe, expect, test } from 'vitest'
import { fileReferences, referredIds } from './file-references.ts'

const ID = '0199a0b0-0000-7000-8000-00000000000a'
const OTHER = '0199a0b0-0000-7000-8000-00000000000b'
const picture = `![](/files/${ID})`

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
