import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export type Font = { name: string; data: Buffer; weight: 400 | 500 | 600; style: 'normal' }

/** Where a font is found: its package, the part of it, and the weight. */
type Source = readonly [name: string, pack: string, part: string, weight: Font['weight']]

/** What every picture is set in: what the pages are set in, and the small fonts of other scripts. */
const always: Source[] = [
  ['Reading', 'literata', 'latin', 500],
  ['Reading Latin', 'literata', 'latin-ext', 500],
  ['Reading Vietnamese', 'literata', 'vietnamese', 500],
  ['Reading Cyrillic', 'literata', 'cyrillic', 500],
  ['Reading Cyrillic More', 'literata', 'cyrillic-ext', 500],
  ['Reading Greek', 'literata', 'greek', 500],
  ['Interface', 'instrument-sans', 'latin', 500],
  ['Interface Latin', 'instrument-sans', 'latin-ext', 500],
]

/** Fonts of other scripts, read where a text needs them, the first that fits. */
const further: [script: RegExp, sources: Source[]][] = [
  [/\p{Script=Hebrew}/u, [['Hebrew', 'frank-ruhl-libre', 'hebrew', 500]]],
  [/\p{Script=Arabic}/u, [['Arabic', 'amiri', 'arabic', 400]]],
  [/\p{Script=Devanagari}/u, [['Devanagari', 'noto-sans-devanagari', 'devanagari', 500]]],
  [/\p{Script=Thai}/u, [['Thai', 'noto-sans-thai', 'thai', 500]]],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, [['Japanese', 'sawarabi-mincho', 'japanese', 400]]],
  [/\p{Script=Hangul}/u, [['Korean', 'gowun-batang', 'korean', 400]]],
  [
    /\p{Script=Han}/u,
    [
      ['Chinese', 'zcool-xiaowei', 'chinese-simplified', 400],
      ['Japanese', 'sawarabi-mincho', 'japanese', 400],
    ],
  ],
  // Flags are pairs of emails, and keys are digits in a frame; neither is a pictograph.
  [/[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3]/u, [['Emoji', 'noto-emoji', 'emoji', 500]]],
]

const { resolve } = createRequire(import.meta.url)
const kept = new Map<string, Font>()

/** The fonts that a text needs, in the order in which they are looked into. */
export function fontsFor(text: string): Font[] {
  const needed = further.flatMap(([script, sources]) => (script.test(text) ? sources : []))
  const named = new Map([...always, ...needed].map((source) => [source[0], source]))
  return [...named.values()].map(fontOf)
}

function fontOf([name, pack, part, weight]: Source): Font {
  const known = kept.get(name)
  if (known) return known
  const data = readFileSync(resolve(`@fontsource/${pack}/files/${pack}-${part}-${weight}-normal.woff`))
  const font: Font = { name, data, weight, style: 'normal' }
  kept.set(name, font)
  return font
}
