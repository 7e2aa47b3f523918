import { withDate } from './picture-date.ts'

/** The pixels, and the side, up to which every server that keeps the defaults reads a picture. */
const PIXELS_MAX = 50_000_000
const SIDE_MAX = 65_535
const JPEG_QUALITY = 0.9
/** Parts of the side that are tried until the result is small enough. */
const SCALES = [1, 0.75, 0.5]

/**
 * Returns a picture over the limits as a smaller JPEG, upright and with the date on which it was taken; any other file, and one that
 * this browser cannot read, as it is.
 */
export async function fittingPicture(file: File, bytesMax: number): Promise<File> {
  if (!/^image\/(?:jpeg|png|webp|avif|hei[cf])$/.test(file.type)) return file
  try {
    const { width, height } = await sizeOf(file)
    const isTooLarge = width * height > PIXELS_MAX || Math.max(width, height) > SIDE_MAX
    if (file.size <= bytesMax && !isTooLarge) return file
    const fit = Math.min(1, Math.sqrt(PIXELS_MAX / (width * height)), SIDE_MAX / Math.max(width, height))
    for (const scale of SCALES) {
      const smaller = await encoded(file, Math.floor(width * fit * scale), Math.floor(height * fit * scale))
      if (smaller.size <= bytesMax)
        return new File([await withDate(smaller, file)], file.name.replace(/\.[^.]*$/, '') + '.jpg', {
          type: 'image/jpeg',
        })
    }
    return file
  } catch {
    return file // its limit is named instead, here or by the server
  }
}

/** Returns the upright size, which browsers read from the header. */
async function sizeOf(file: File): Promise<{ width: number; height: number }> {
  const url = URL.createObjectURL(file)
  try {
    const image = new Image()
    await new Promise((resolve, reject) => {
      image.addEventListener('load', resolve)
      image.addEventListener('error', () => reject(new Error('cannot be read')))
      image.src = url
    })
    return { width: image.naturalWidth, height: image.naturalHeight }
  } finally {
    URL.revokeObjectURL(url)
  }
}

async function encoded(file: File, width: number, height: number): Promise<Blob> {
  const bitmap = await createImageBitmap(file, {
    resizeWidth: Math.max(1, width),
    resizeHeight: Math.max(1, height),
    resizeQuality: 'high',
  })
  try {
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const context = canvas.getContext('2d')
    if (!context) throw new Error('no canvas')
    // A JPEG has no transparency.
    context.fillStyle = 'white'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(bitmap, 0, 0)
    return await canvas.convertToBlob({ type: 'image/jpeg', quality: JPEG_QUALITY })
  } finally {
    bitmap.close()
  }
}
