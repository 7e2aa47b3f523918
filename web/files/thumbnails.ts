import { Listeners } from '#web/ui/listeners.ts'
import { isHeic } from './validate-files.ts'

/** The width of thumbnails in pixels: a picture by itself is as wide as the text. */
const WIDTH = 640
const QUALITY = 0.8

/**
 * Thumbnails of pictures that are being uploaded. They are drawn one after another: a browser that shows twenty full-size
 * photographs in a list is too busy to render the text or to save it.
 */
export class Thumbnails {
  readonly #draw: (picture: Blob) => Promise<Blob>
  readonly #urls = new Map<string, string | null>()
  readonly #listeners = new Listeners()
  #last: Promise<void> = Promise.resolve()

  constructor(draw = drawThumbnail) {
    this.#draw = draw
  }

  readonly subscribe = this.#listeners.add

  /** Returns the URL of a thumbnail once it is drawn. */
  find(id: string): string | undefined {
    return this.#urls.get(id) ?? undefined
  }

  /** Draws the thumbnail of a picture, unless that was requested before. */
  add(id: string, picture: Blob): void {
    if (this.#urls.has(id)) return
    this.#urls.set(id, null)
    this.#last = this.#last.then(() => this.#show(id, picture))
  }

  async #show(id: string, picture: Blob): Promise<void> {
    if (!this.#urls.has(id)) return
    // If the browser cannot draw a thumbnail, the picture itself is shown, if possible.
    const thumbnail = await this.#draw(picture).catch(() => (isHeic(picture) ? null : picture))
    if (!this.#urls.has(id) || thumbnail === null) return
    this.#urls.set(id, URL.createObjectURL(thumbnail))
    this.#listeners.call()
  }

  /** Cancels the requested thumbnails, and frees the drawn ones. */
  clear(): void {
    for (const url of this.#urls.values()) if (url !== null) URL.revokeObjectURL(url)
    this.#urls.clear()
  }
}

async function drawThumbnail(picture: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(picture, { resizeWidth: WIDTH, resizeQuality: 'medium' })
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  bitmap.close()
  return canvas.convertToBlob({ type: 'image/webp', quality: QUALITY })
}
