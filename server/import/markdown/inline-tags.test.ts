import { expect, test } from 'vitest'
import { tagsInText } from './inline-tags.ts'

test.each([
  ['# Head\n#wood and #boat/hull, (#öl) #2024 #2024-plan', ['wood', 'boat/hull', 'öl', '2024-plan']],
  ['a#b `#code` [x](#part) https://x.example/#y\n```\n#c\n```', []],
])('%j has the tags %j', (text, tags) => {
  expect(tagsInText(text)).toEqual(tags)
})

test('tags of Bear may have several words', () => {
  expect(tagsInText('#two words# #one and #three more words#', { ofWords: true })).toEqual([
    'two words',
    'three more words',
    'one',
  ])
})
