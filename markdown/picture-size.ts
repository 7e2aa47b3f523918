type Size = { width: number; height: number }

/** The maximum height of a shown picture: 48rem. */
const HEIGHT_MAX = 768
/** The width of the text column: 42rem. */
const COLUMN = 672

/**
 * Returns the size at which a text shows a picture if there is enough space, in CSS pixels: its own or smaller. It is set in the
 * attributes of the image, so that a browser reserves the space before the picture is loaded.
 */
export function shownSize({ width, height }: Size): Size {
  if (height <= HEIGHT_MAX) return { width, height }
  return { width: Math.max(1, Math.round((width * HEIGHT_MAX) / height)), height: HEIGHT_MAX }
}

/** Returns the `sizes` of a picture in a text: at most the width of the picture, because browsers would enlarge it to `sizes`. */
export function shownSizes(size: Size): string {
  const { width } = shownSize(size)
  if (width >= COLUMN) return '(min-width: 44rem) 42rem, 100vw'
  return `(max-width: ${width}px) 100vw, ${width}px`
}
