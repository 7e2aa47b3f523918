import { CompletionContext } from '@codemirror/autocomplete'
import { ensureSyntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { expect, it } from 'vitest'
import { markdown } from './markdown-language.ts'
import { findMentions } from './mention-list.ts'

const NAMES = ['Ada Lovelace', 'Grace Hopper', 'Öykü Ada', '山田 太郎']

/** Returns the names that are offered at the end of a text. */
async function offeredAfter(doc: string): Promise<string[]> {
  const state = EditorState.create({ doc, extensions: markdown() })
  ensureSyntaxTree(state, doc.length)
  const found = await findMentions(new CompletionContext(state, doc.length, false), async () => NAMES)
  return found?.options.map(({ displayLabel = '' }) => displayLabel) ?? []
}

it.each<[text: string, offered: string[]]>([
  ['@', NAMES],
  ['Thanks, @', NAMES],
  ['(@gr', ['Grace Hopper']],
  ['@ada', ['Ada Lovelace', 'Öykü Ada']],
  ['@oyku', ['Öykü Ada']],
  ['@hop', ['Grace Hopper']],
  ['@Grace H', ['Grace Hopper']],
  ['@山田', ['山田 太郎']],
  ['と「@太', ['山田 太郎']],
  ['昨日は@太', ['山田 太郎']],
  ['＠山田', ['山田 太郎']],
  ['- [ ] ask @grace', ['Grace Hopper']],
  ['@nobody', []],
  ['@Grace Hopper', []],
  ['@Grace Hopper wrote', []],
  ['ada@', []],
  ['ada.@', []],
  ['me@gr', []],
  ['https://example.org/@gr', []],
  ['@@gr', []],
  ['`@gr', ['Grace Hopper']],
  ['`@gr`', []],
  ['```\n@gr', []],
  ['    @gr', []],
  ['> @gr', []],
  ['> [!NOTE]\n> @gr', ['Grace Hopper']],
  ['no sign', []],
])('after %j', async (text, offered) => {
  expect(await offeredAfter(text)).toEqual(offered)
})

it('what is inserted is a mention, and nothing is offered without names', async () => {
  const state = EditorState.create({ doc: '@a' })
  const at = new CompletionContext(state, 2, false)
  expect(await findMentions(at, async () => [])).toBeNull()
  expect((await findMentions(at, async () => NAMES))?.options[0]?.label).toBe('@Ada Lovelace')
})
