import { Resvg } from '@resvg/resvg-js'
import sharp from 'sharp'
import { type Random, seeded } from '#scripts/demo/random.ts'
import { indoors } from './indoors.ts'
import { outdoors } from './outdoors.ts'
import { HEIGHT, WIDTH } from './shapes.ts'

const scenes = { ...indoors, ...outdoors }
export type SceneName = keyof typeof scenes

/** Draws a scene and returns it as a JPEG. The same seed draws the same picture. */
export async function drawPicture(scene: SceneName, seed: number): Promise<Buffer> {
  const random = seeded(seed)
  const body = scenes[scene](random)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${body}${vignette}</svg>`
  const { pixels, width, height } = new Resvg(svg).render()
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .composite([{ input: grain(random), raw: { width: TILE, height: TILE, channels: 4 }, tile: true }])
    .jpeg({ quality: 84 })
    .toBuffer()
}

const vignette =
  '<radialGradient id="vignette" r="0.75"><stop offset="0.6" stop-opacity="0"/><stop offset="1" stop-opacity="0.32"/></radialGradient>' +
  '<rect width="100%" height="100%" fill="url(#vignette)"/>'

const TILE = 256

/** Camera noise, as a tile. */
function grain(random: Random): Buffer {
  const pixels = Buffer.alloc(TILE * TILE * 4)
  for (let at = 0; at < pixels.length; at += 4) {
    pixels.fill(random.between(0, 2) * 255, at, at + 3)
    pixels[at + 3] = random.between(0, 14)
  }
  return pixels
}
