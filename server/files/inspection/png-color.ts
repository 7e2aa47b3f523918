import { deflateSync } from 'node:zlib'
import { type Chromaticities, type Curve, iccProfile } from './icc-profile.ts'
import { PNG_HEADER, PNG_SIGNATURE, pngChunk } from './strip-picture.ts'

const AFTER_HEADER = PNG_SIGNATURE + PNG_HEADER
const COLOR = new Set('gAMA cHRM sRGB iCCP cICP'.split(' '))
const D65 = [0.3127, 0.329] as const
const SRGB: Chromaticities = { white: D65, red: [0.64, 0.33], green: [0.3, 0.6], blue: [0.15, 0.06] }
const P3: Chromaticities = { white: D65, red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06] }
const BT2020: Chromaticities = {
  white: D65,
  red: [0.708, 0.292],
  green: [0.17, 0.797],
  blue: [0.131, 0.046],
}

const powerOf =
  (exponent: number): Curve =>
  (value) =>
    value ** exponent
const srgb: Curve = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
/** The white of texts and the brightest light in pictures of a high range, in candela per square meter. */
const WHITE = 203
const BRIGHTEST = 1_000 / WHITE

/** Compresses the lights of a high range, of which 1 is the white of texts, as browsers do on a usual screen. */
const compressed = (light: number) => (light * (1 + light / BRIGHTEST ** 2)) / (1 + light)

/** SMPTE ST 2084, of up to 10,000 candela per square meter. */
const pq: Curve = (value) => {
  const root = value ** (32 / 2_523)
  const light = Math.max(root - 0.835_937_5, 0) / (18.851_562_5 - 18.687_5 * root)
  return compressed((light ** (16_384 / 2_610) * 10_000) / WHITE)
}

/** ARIB STD-B67, on a screen of 1,000 candela per square meter. */
const hlg: Curve = (value) => {
  const scene =
    value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - 0.559_910_73) / 0.178_832_77) + 0.284_668_92) / 12
  return compressed(scene ** 1.2 * BRIGHTEST)
}

/** By the numbers of ITU-T H.273. */
const PRIMARIES: { [code: number]: Chromaticities } = { 1: SRGB, 9: BT2020, 12: P3 }
const TRANSFERS: { [code: number]: Curve } = { 4: powerOf(2.2), 8: powerOf(1), 13: srgb, 16: pq, 18: hlg }

type Colors = { curve: Curve; space: Chromaticities }

/**
 * Returns a PNG whose color is said by a profile, which the decoder reads, where browsers read it from chunks that the decoder ignores:
 * cICP, or gAMA and cHRM. Returns null if it has a profile, or the usual color.
 */
export function withColorProfile(bytes: Buffer): Buffer | null {
  const chunks = chunksBeforePixels(bytes)
  const colors = chunks && colorsOf(chunks)
  if (!colors) return null
  const isGray = ((bytes[25] ?? 0) & 2) === 0
  const profile = iccProfile(colors.curve, colors.space, isGray)
  if (!profile) return null
  const named = Buffer.concat([Buffer.from('color\0\0', 'latin1'), deflateSync(profile)])
  const end = chunks.at(-1)?.end ?? AFTER_HEADER
  const others = chunks.filter(({ type }) => !COLOR.has(type))
  return Buffer.concat([
    bytes.subarray(0, AFTER_HEADER),
    pngChunk('iCCP', named),
    ...others.map((chunk) => bytes.subarray(chunk.at, chunk.end)),
    bytes.subarray(end),
  ])
}

/** As many as decoders read. */
const CHUNKS_MAX = 1_000

type Chunk = { type: string; data: Buffer; at: number; end: number }

/** Returns the chunks before the pixels; null for more than a picture has. */
function chunksBeforePixels(bytes: Buffer): Chunk[] | null {
  const chunks: Chunk[] = []
  for (let at = AFTER_HEADER; at + 12 <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 12 + bytes.readUInt32BE(at)
    if (type === 'IDAT' || end > bytes.length) break
    if (chunks.length >= CHUNKS_MAX) return null
    chunks.push({ type, data: bytes.subarray(at + 8, end - 4), at, end })
    at = end
  }
  return chunks
}

function colorsOf(chunks: readonly Chunk[]): Colors | null {
  const find = (name: string, length: number) =>
    chunks.find(({ type, data }) => type === name && data.length >= length)?.data
  const coded = find('cICP', 4)
  const space = PRIMARIES[coded?.[0] ?? 0]
  const curve = TRANSFERS[coded?.[1] ?? 0]
  if (space && curve) return space === SRGB && curve === srgb ? null : { curve, space }
  if (find('iCCP', 0) || find('sRGB', 0)) return null
  const gamma = find('gAMA', 4)?.readUInt32BE(0) ?? USUAL
  const measured = spaceOf(find('cHRM', 32)) ?? SRGB
  const isUsual = Math.abs(gamma - USUAL) < 1_000 && isClose(measured, SRGB)
  if (isUsual || gamma < 10_000 || gamma > 1_000_000) return null
  return { curve: Math.abs(gamma - USUAL) < 1_000 ? srgb : powerOf(100_000 / gamma), space: measured }
}

/** The inverse of 2.2, which stands for the curve of sRGB. */
const USUAL = 45_455

function spaceOf(data: Buffer | undefined): Chromaticities | null {
  if (!data) return null
  const pointAt = (at: number) =>
    [data.readUInt32BE(at) / 100_000, data.readUInt32BE(at + 4) / 100_000] as const
  const space = { white: pointAt(0), red: pointAt(8), green: pointAt(16), blue: pointAt(24) }
  const points = Object.values(space)
  const { red, green, blue } = space
  const area = (green[0] - red[0]) * (blue[1] - red[1]) - (blue[0] - red[0]) * (green[1] - red[1])
  const isPossible = points.every(([x, y]) => x >= 0 && y > 0.001 && x + y <= 1) && Math.abs(area) > 0.01
  return isPossible ? space : null
}

const isClose = (one: Chromaticities, other: Chromaticities) =>
  (['white', 'red', 'green', 'blue'] as const).every((name) =>
    [0, 1].every((axis) => Math.abs((one[name][axis] ?? 0) - (other[name][axis] ?? 0)) < 0.005),
  )
