import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { Resvg } from '@resvg/resvg-js'
import type { ReactNode } from 'react'
import satori from 'satori'
import sharp from 'sharp'
import { type Card, COVER_WIDTH, HEIGHT, textOf, WIDTH } from './card.ts'
import { picture } from './design.ts'
import { boxesIn, legible } from './legible.ts'

const JPEG_QUALITY = 82

/** A card, and the bytes of its cover if it has one. */
export type Painting = { card: Card; cover: Uint8Array | null }

/** Paints a card with its cover, in a child process of low priority. */
export default function paintTask(painting: Painting): Promise<Uint8Array> {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  return paintHere(painting)
}

/** Paints a card with its cover in this process. Returns a PNG or, with a cover, a JPEG. */
export async function paintHere({ card, cover }: Painting): Promise<Uint8Array> {
  const png = await paint(card)
  return cover ? withCover(png, cover) : png
}

/** Composites a cover into the space that the card leaves for it. Returns a JPEG. */
async function withCover(png: Uint8Array, cover: Uint8Array): Promise<Uint8Array> {
  const fitted = await sharp(cover)
    .resize(COVER_WIDTH, HEIGHT, { fit: 'cover', position: 'attention' })
    .toBuffer()
  return sharp(png)
    .composite([{ input: fitted, left: WIDTH - COVER_WIDTH, top: 0 }])
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer()
}

/** Paints the words and the trail of a card as a PNG, which takes a good part of a second of CPU time. */
export async function paint(card: Card): Promise<Uint8Array> {
  const { svg } = await layOut(card)
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng()
}

/** Lays out a card as SVG. Characters that no font has are `missing`, and not drawn as boxes. */
export async function layOut(card: Card): Promise<{ svg: string; missing: ReadonlySet<string> }> {
  const words = picture(card)
  const fonts = fontsFor(textOf(card))
  const first = await drawn(words, fonts)
  if (first.missing.size === 0) return first
  const more = rare.filter(([script]) => [...first.missing].some((character) => script.test(character)))
  // They precede the others of their script, so that a line is not drawn in two of them.
  const all = fonts.toSpliced(always.length, 0, ...more.flatMap(([, sources]) => sources.map(fontOf)))
  const second = more.length > 0 ? await drawn(words, all) : first
  if (second.missing.size === 0) return second
  return { svg: (await drawn(legible(words, second.missing), all)).svg, missing: second.missing }
}

/** Draws an element tree. satori asks for more fonts where a text has characters that the given ones lack. */
async function drawn(words: ReactNode, fonts: Font[]) {
  const missing = new Set<string>()
  const svg = await satori(words, {
    width: WIDTH,
    height: HEIGHT,
    fonts,
    loadAdditionalAsset: (_language, text) => {
      for (const character of boxesIn(text)) missing.add(character)
      return Promise.resolve([])
    },
  })
  return { svg, missing }
}

type Font = { name: string; data: Buffer; weight: 400 | 500 | 600; style: 'normal' }

/** The package of a font, its subset, and its weight. */
type Source = readonly [name: string, pack: string, part: string, weight: Font['weight']]

/** The fonts of every picture: those of the pages, and small fonts of other scripts. */
const always: Source[] = [
  ['Reading', 'literata', 'latin', 500],
  ['Reading Latin', 'literata', 'latin-ext', 500],
  ['Reading Vietnamese', 'literata', 'vietnamese', 500],
  ['Reading Cyrillic', 'literata', 'cyrillic', 500],
  ['Reading Cyrillic More', 'literata', 'cyrillic-ext', 500],
  ['Reading Greek', 'literata', 'greek', 500],
  ['Reading Greek More', 'literata', 'greek-ext', 500],
  ['Interface', 'instrument-sans', 'latin', 500],
  ['Interface Latin', 'instrument-sans', 'latin-ext', 500],
]

/** Fonts of other scripts. Each is read from disk when a text first needs it. */
const further: [script: RegExp, sources: Source[]][] = [
  [/\p{Script=Hebrew}/u, [['Hebrew', 'frank-ruhl-libre', 'hebrew', 500]]],
  [/\p{Script=Arabic}/u, [['Arabic', 'amiri', 'arabic', 400]]],
  [/\p{Script=Devanagari}/u, [['Devanagari', 'noto-sans-devanagari', 'devanagari', 500]]],
  [/\p{Script=Thai}/u, [['Thai', 'noto-sans-thai', 'thai', 500]]],
  ...(
    [
      [/\p{Script=Armenian}/u, 'armenian'],
      [/\p{Script=Bengali}/u, 'bengali'],
      [/\p{Script=Ethiopic}/u, 'ethiopic'],
      [/\p{Script=Georgian}/u, 'georgian'],
      [/\p{Script=Gujarati}/u, 'gujarati'],
      [/\p{Script=Gurmukhi}/u, 'gurmukhi'],
      [/\p{Script=Kannada}/u, 'kannada'],
      [/\p{Script=Khmer}/u, 'khmer'],
      [/\p{Script=Lao}/u, 'lao'],
      [/\p{Script=Malayalam}/u, 'malayalam'],
      [/\p{Script=Myanmar}/u, 'myanmar'],
      [/\p{Script=Sinhala}/u, 'sinhala'],
      [/\p{Script=Tamil}/u, 'tamil'],
      [/\p{Script=Telugu}/u, 'telugu'],
    ] as const
  ).map(([script, name]): [RegExp, Source[]] => [script, [[`Noto ${name}`, `noto-sans-${name}`, name, 400]]]),
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, [['Japanese', 'sawarabi-mincho', 'japanese', 400]]],
  [/\p{Script=Hangul}/u, [['Korean', 'gowun-batang', 'korean', 400]]],
  [
    /\p{Script=Han}/u,
    [
      ['Chinese', 'zcool-xiaowei', 'chinese-simplified', 400],
      ['Japanese', 'sawarabi-mincho', 'japanese', 400],
    ],
  ],
  // Flags are pairs of letters, and keycaps are digits with a combining mark; neither is a pictograph.
  [/[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3]/u, [['Emoji', 'noto-emoji', 'emoji', 500]]],
]

/** Fonts of characters that the others of their script lack: traditional Chinese, formulas and signs. */
const rare: [script: RegExp, sources: Source[]][] = [
  [/\p{Script=Han}/u, [['Traditional Chinese', 'noto-sans-tc', 'chinese-traditional', 400]]],
  [
    /[\p{S}\p{P}\p{N}\p{Script=Common}\p{Script=Greek}]/u,
    [
      ['Math', 'stix-two-math', 'latin', 400],
      ['Signs', 'noto-sans-symbols', 'symbols', 400],
      ['More Signs', 'noto-sans-symbols-2', 'symbols', 400],
    ],
  ],
]

/** The fonts of all pictures. The build copies them from packages that a production install omits. */
export const fonts: Source[] = [...always, ...[...further, ...rare].flatMap(([, sources]) => sources)]

/** Returns the name of a font's file in its package, and in `build/fonts`. */
export const fontFile = ([, pack, part, weight]: Source) => `${pack}-${part}-${weight}-normal.woff`

const BUILT_FONTS = new URL('../../../build/fonts/', import.meta.url)
const { resolve } = createRequire(import.meta.url)
const loaded = new Map<string, Font>()

/** Returns the fonts that a text needs, in the order in which they are tried. */
export function fontsFor(text: string): Font[] {
  const needed = further.flatMap(([script, sources]) => (script.test(text) ? sources : []))
  const named = new Map([...always, ...needed].map((source) => [source[0], source]))
  return [...named.values()].map(fontOf)
}

function fontOf(source: Source): Font {
  const [name, pack, , weight] = source
  const known = loaded.get(name)
  if (known) return known
  const built = new URL(fontFile(source), BUILT_FONTS)
  const data = readFileSync(
    existsSync(built) ? built : resolve(`@fontsource/${pack}/files/${fontFile(source)}`),
  )
  const font: Font = { name, data, weight, style: 'normal' }
  loaded.set(name, font)
  return font
}
