import { readFile } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import { BrokenFile } from './boxes.ts'
import { sharp } from './decoders.ts'
import { PNG_HEADER, PNG_SIGNATURE, pngChunk } from './strip-picture.ts'

/**
 * Decodes a HEIC picture, which sharp cannot, and returns it as a PNG within `side`, upright, with its color profile.
 * libheif runs as WebAssembly in the child process of the inspection. Throws BrokenFile.
 */
export async function decodeHeic(
  file: string,
  side: number,
  profile: Buffer | undefined,
): Promise<HeicPicture> {
  const { default: libheif } = await import('libheif-js/wasm-bundle.js')
  const images = new libheif.HeifDecoder().decode(await readFile(file))
  const image = images.find(({ handle }) => libheif.heif_image_handle_is_primary_image(handle)) ?? images[0]
  if (!image) throw new BrokenFile('no picture in it')
  const size = { width: image.get_width(), height: image.get_height() }
  const data = new Uint8ClampedArray(size.width * size.height * 4)
  const isDecoded = await new Promise<boolean>((resolve) =>
    image.display({ data, ...size }, (shown) => resolve(shown !== null)),
  )
  if (!isDecoded) throw new BrokenFile('its pixels cannot be decoded')
  const png = await sharp(data, { raw: { ...size, channels: 4 }, limitInputPixels: false })
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 1 })
    .toBuffer()
  return { ...size, png: profile ? withProfile(png, profile) : png }
}

/** The original size, and the pixels. */
export type HeicPicture = { width: number; height: number; png: Buffer }

/** Adds the color profile to a PNG, by which its pixels are converted to sRGB. */
function withProfile(png: Buffer, profile: Buffer): Buffer {
  const at = PNG_SIGNATURE + PNG_HEADER
  const chunk = pngChunk('iCCP', Buffer.concat([Buffer.from('profile\0\0', 'latin1'), deflateSync(profile)]))
  return Buffer.concat([png.subarray(0, at), chunk, png.subarray(at)])
}
