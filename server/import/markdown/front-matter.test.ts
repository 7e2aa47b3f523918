import { expect, test } from 'vitest'
import { splitFrontMatter } from './front-matter.ts'

const matterOf = (lines: string) => splitFrontMatter(`---\n${lines}\n---\nText`).matter

test.each([
  ['title: Hull: the keel', { title: 'Hull: the keel' }],
  ['title: "Hull"\nauthor: @ada\ndraft: true', { title: 'Hull', author: '@ada', draft: 'true' }],
  ['tags:\n\t- wood\n\t- @glue', { tags: ['wood', '@glue'] }],
  ['progress: 50%\nmood: %great', { progress: '50%', mood: '%great' }],
  ['title: `code`', { title: '`code`' }],
  ['title: One\ntitle: Two', { title: 'Two' }],
  ['title:\ntags:', { title: null, tags: null }],
  ['tags: #wood #glue\nseen: 1 # of them', { tags: '#wood #glue', seen: 1 }],
])('%j is read', (lines, expected) => {
  expect(matterOf(lines)).toEqual(expected)
})

test('front matter of YAML may end with three dots', () => {
  expect(splitFrontMatter('---\ntitle: Hull\n...\nText')).toEqual({
    matter: { title: 'Hull' },
    text: 'Text',
    isBroken: false,
  })
})

test('what is no front matter for anybody stays in the text', () => {
  expect(splitFrontMatter('---\ntitle: "open\n- a\n---\nText')).toMatchObject({ matter: {}, isBroken: true })
})
