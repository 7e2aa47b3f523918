type Triple = readonly [number, number, number]
type Matrix = readonly [Triple, Triple, Triple]
type Point = readonly [x: number, y: number]

/** The chromaticities of a color space: of its white, and of its red, green and blue. */
export type Chromaticities = { white: Point; red: Point; green: Point; blue: Point }

/** Returns the light of a value, both from 0 to 1. */
export type Curve = (value: number) => number

const HEADER = 128
const SAMPLES = 1_024
const VALUE_MAX = 32_767
const D50: Triple = [0.9642, 1, 0.8249]
const BRADFORD: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
]

/** Returns an ICC profile of version 2 for a color space, or for shades of gray if `isGray`; null if it cannot hold the space. */
export function iccProfile(curve: Curve, space: Chromaticities, isGray: boolean): Buffer | null {
  const light = curveTag(curve)
  const columns = columnsOf(space)
  // Also false if it is not a number, since the white may be one of no light.
  if (!columns.flat().every((value) => Math.abs(value) < VALUE_MAX)) return null
  const tags: [string, Buffer][] = [
    ['desc', Buffer.concat([ascii('desc'), words(0, 1), Buffer.alloc(80)])],
    ['cprt', Buffer.concat([ascii('text'), words(0), Buffer.alloc(4)])],
    ['wtpt', xyzTag(D50)],
    ...(isGray
      ? [['kTRC', light] satisfies [string, Buffer]]
      : (['r', 'g', 'b'] as const).flatMap((color, index): [string, Buffer][] => [
          [`${color}XYZ`, xyzTag(columns[index] ?? D50)],
          [`${color}TRC`, light],
        ])),
  ]
  let at = HEADER + 4 + 12 * tags.length
  const table = tags.map(([name, { length }]) => {
    const entry = Buffer.concat([ascii(name), words(at, length)])
    at += length
    return entry
  })
  return Buffer.concat([headerOf(at, isGray), words(tags.length), ...table, ...tags.map(([, tag]) => tag)])
}

function headerOf(length: number, isGray: boolean): Buffer {
  const header = Buffer.alloc(HEADER)
  header.writeUInt32BE(length, 0)
  header.writeUInt32BE(0x02100000, 8)
  header.write(`mntr${isGray ? 'GRAY' : 'RGB '}XYZ `, 12, 'latin1')
  for (const [index, part] of [2000, 1, 1].entries()) header.writeUInt16BE(part, 24 + 2 * index)
  header.write('acsp', 36, 'latin1')
  for (const [index, value] of D50.entries()) header.writeInt32BE(fixed(value), 68 + 4 * index)
  return header
}

const ascii = (text: string) => Buffer.from(text, 'latin1')
const fixed = (value: number) => Math.round(value * 65_536)

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

function xyzTag(values: Triple): Buffer {
  const bytes = Buffer.alloc(20)
  bytes.write('XYZ ', 0, 'latin1')
  for (const [index, value] of values.entries()) bytes.writeInt32BE(fixed(value), 8 + 4 * index)
  return bytes
}

function curveTag(curve: Curve): Buffer {
  const bytes = Buffer.alloc(12 + 2 * SAMPLES)
  bytes.write('curv', 0, 'latin1')
  bytes.writeUInt32BE(SAMPLES, 8)
  for (let index = 0; index < SAMPLES; index++) {
    const light = Math.min(1, Math.max(0, curve(index / (SAMPLES - 1))))
    bytes.writeUInt16BE(Math.round(light * 65_535), 12 + 2 * index)
  }
  return bytes
}

/** Returns the XYZ values of red, green and blue, as seen under the white of profiles. */
function columnsOf({ white, red, green, blue }: Chromaticities): Triple[] {
  const primaries = [red, green, blue].map(xyzOf)
  const [r = D50, g = D50, b = D50] = primaries
  const whiteXyz = xyzOf(white)
  const amounts = applied(inverse(transposed([r, g, b])), whiteXyz)
  const seen = applied(BRADFORD, whiteXyz)
  const wanted = applied(BRADFORD, D50)
  return primaries.map((primary, index) => {
    const scaled = times(primary, amounts[index] ?? 1)
    const cones = applied(BRADFORD, scaled)
    return applied(inverse(BRADFORD), [
      (cones[0] * wanted[0]) / seen[0],
      (cones[1] * wanted[1]) / seen[1],
      (cones[2] * wanted[2]) / seen[2],
    ])
  })
}

const xyzOf = ([x, y]: Point): Triple => [x / y, 1, (1 - x - y) / y]
const times = ([a, b, c]: Triple, by: number): Triple => [a * by, b * by, c * by]
const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const applied = ([a, b, c]: Matrix, to: Triple): Triple => [dot(a, to), dot(b, to), dot(c, to)]
const transposed = ([a, b, c]: Matrix): Matrix => [
  [a[0], b[0], c[0]],
  [a[1], b[1], c[1]],
  [a[2], b[2], c[2]],
]

function inverse([a, b, c]: Matrix): Matrix {
  const by = 1 / dot(a, cross(b, c))
  return transposed([times(cross(b, c), by), times(cross(c, a), by), times(cross(a, b), by)])
}
