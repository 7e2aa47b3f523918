import { Resvg } from '@resvg/resvg-js'
import satori from 'satori'
import { type Card, HEIGHT, textOf, WIDTH } from './card.ts'
import { picture } from './design.ts'
import { fontsFor } from './fonts.ts'

/** Paints a card as a PNG. It takes a good part of a second of one processor, so the server does it in `painting.ts`. */
export async function paint(card: Card): Promise<Uint8Array> {
  const svg = await satori(picture(card), { width: WIDTH, height: HEIGHT, fonts: fontsFor(textOf(card)) })
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render().asPng()
}
