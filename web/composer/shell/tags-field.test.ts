import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addTags, suggestTags } from './tags-field.tsx'

test('a tag is trimmed and added at the end', () => {
  expect(addTags(['rye'], '  oven ')).toEqual(['rye', 'oven'])
})

test.each(['', '   ', ',', 'rye', ' rye '])('%j adds nothing to rye', (typed) => {
  expect(addTags(['rye'], typed)).toEqual(['rye'])
})

test('commas separate tags', () => {
  expect(addTags([], 'rye, oven,,rye , crust')).toEqual(['rye', 'oven', 'crust'])
})

test.each(['木，铁', '木、铁', '木،铁', '木\n铁\n', '木\t铁'])('%j is two tags', (typed) => {
  expect(addTags([], typed)).toEqual(['木', '铁'])
})

test('no input adds a blank, untrimmed or duplicate tag, or removes one', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (typed) => {
      const tags = typed.reduce<string[]>((soFar, text) => {
        const next = addTags(soFar, text)
        expect(next.slice(0, soFar.length)).toEqual(soFar)
        return next
      }, [])
      expect(new Set(tags).size).toBe(tags.length)
      expect(tags.every((tag) => tag !== '' && tag === tag.trim())).toBe(true)
    }),
  )
})

test('two spellings of a tag are one, and a tag that nobody sees is none', () => {
  expect(addTags(['café'], 'cafe\u0301, \u200B, \u2800')).toEqual(['café'])
})

test('the tags of the project are suggested in the letters that they have', () => {
  const known = ['Über Nacht', 'wood', 'Driftwood', 'wood glue']
  expect(suggestTags(known, [], 'wo')).toEqual(['wood', 'wood glue', 'Driftwood'])
  expect(suggestTags(known, ['wood'], 'WOOD')).toEqual(['wood glue', 'Driftwood'])
  expect(suggestTags(known, [], 'uber n')).toEqual(['Über Nacht'])
  expect(suggestTags(known, [], ' ')).toEqual([])
})

test.each(['ㅎ', '하', '한', '한ㄱ', '한그', '한글'])('while %s is typed, 한글 is suggested', (typed) => {
  expect(suggestTags(['한글', '나무'], [], typed)).toEqual(['한글'])
})
