import { expect, test } from 'vitest'
import { openingOf } from './opening.ts'

const long = 'The light was good until four, so I stayed until four and swept the floor.'

test('an entry opens with its first sentence', () => {
  expect(openingOf(`${long} Then I went home.`)).toBe(long)
})

test('short sentences are told together', () => {
  expect(openingOf(`It rained. Nothing moved. ${long} Then I went home.`)).toBe(
    `It rained. Nothing moved. ${long}`,
  )
})

test('a text without sentences is told as far as the excerpt goes', () => {
  expect(openingOf('cedar '.repeat(40).trim())).toBe('cedar '.repeat(40).trim())
  expect(openingOf('')).toBe('')
})
