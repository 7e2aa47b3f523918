import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DARK, LIGHT } from '#contract/parts/colours.ts'

type Rgb = [number, number, number]
type Pair = [string, string]

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')
const declaration = /--([a-z-]+): light-dark\(oklch\(([^)]+)\), oklch\(([^)]+)\)\)/g
const tokens = new Map(
  [...css.matchAll(declaration)].map(([, name = '', light = '', dark = '']) => [name, { light, dark }]),
)

const papers = ['surface', 'raised', 'sunken']
const text = ['ink', 'muted', 'faint', 'accent', 'accent-strong', 'success', 'warning', 'danger']

const pairs = (fronts: string[], backs: string[]): Pair[] =>
  fronts.flatMap((front) => backs.map((back): Pair => [front, back]))

const textPairs: Pair[] = [
  ...pairs(text, papers),
  ...['accent', 'success', 'warning', 'danger'].flatMap((name) => pairs([name, 'ink'], [`${name}-soft`])),
  ...['admin', 'editor', 'viewer', 'other'].flatMap((role) => pairs([`role-${role}`], [`role-${role}-soft`])),
  ...pairs(['accent-ink'], ['accent', 'accent-strong']),
  ...pairs(['danger-ink'], ['danger-fill', 'danger-fill-strong']),
  ...pairs(['ink', 'muted'], ['selection']),
  // The elements that a callout may contain, on its background.
  ...pairs(
    ['ink', 'muted', 'accent'],
    ['role-editor-soft', 'success-soft', 'accent-soft', 'warning-soft', 'danger-soft'],
  ),
  ...pairs(
    ['keyword', 'string', 'number', 'title', 'type', 'comment'].map((kind) => `code-${kind}`),
    ['sunken', 'success-soft', 'danger-soft'],
  ),
]
const controlPairs = pairs(['edge', 'focus', 'accent'], papers)

/** OKLCH to linear sRGB, clipped to the gamut as a screen would. */
function linear(oklch: string): Rgb {
  const [l = 0, c = 0, hue = 0] = oklch.split(' ').map(Number)
  const a = c * Math.cos((hue * Math.PI) / 180)
  const b = c * Math.sin((hue * Math.PI) / 180)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  const channels: Rgb = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
  return channels.map((channel) => Math.min(1, Math.max(0, channel))) as Rgb
}

function luminance(name: string, theme: 'light' | 'dark'): number {
  const token = tokens.get(name)
  if (!token) throw new Error(`There is no token --${name}`)
  const [red, green, blue] = linear(token[theme])
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string, theme: 'light' | 'dark'): number {
  const [dark = 0, light = 0] = [luminance(a, theme), luminance(b, theme)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

for (const theme of ['light', 'dark'] as const) {
  test.each(textPairs)(`%s on %s is readable in the ${theme} theme`, (front, back) => {
    expect(contrast(front, back, theme)).toBeGreaterThanOrEqual(4.5)
  })
  test.each(controlPairs)(`%s stands out from %s in the ${theme} theme`, (front, back) => {
    expect(contrast(front, back, theme)).toBeGreaterThanOrEqual(3)
  })
}

function hex(oklch: string): string {
  const bytes = linear(oklch).map((part) =>
    Math.round(255 * (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055)),
  )
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

test.each([
  ['light', LIGHT],
  ['dark', DARK],
] as const)('the colours of emails and share pictures are those of the %s theme', (theme, colours) => {
  const names = Object.keys(colours)
  expect(Object.fromEntries(names.map((name) => [name, hex(tokens.get(name)?.[theme] ?? '')]))).toEqual(
    colours,
  )
})

test.each(['favicon.svg', 'feed.css'])('%s has no other colours than these', (file) => {
  const text = readFileSync(new URL(`../../../public/${file}`, import.meta.url), 'utf8')
  const colours: string[] = [...Object.values(LIGHT), ...Object.values(DARK)]
  expect(text.match(/#[\da-f]{6}\b/g)?.filter((colour) => !colours.includes(colour))).toEqual([])
})
