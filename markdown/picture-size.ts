type Size = { width: number; height: number }

/** The height above which a picture is shown smaller: 48rem. */
const HEIGHT_MAX = 768
/** How wide the column of a text is: 42rem. */
const COLUMN = 672

/**
 * Returns the size at which a text shows a picture where it has the room, in CSS pixels: its own, or less. The attributes of
 * the image say it, so that a browser leaves that room before the picture is there.
 */
export function shownSize({ width, height }: Size): Size {
  if (height <= HEIGHT_MAX) return { width, height }
  return { width: Math.max(1, Math.round((width * HEIGHT_MAX) / height)), height: HEIGHT_MAX }
}

/** Returns the `sizes` of a picture in a text: never wider than the picture, which browsers would enlarge to it. */
export function shownSizes(size: Size): string {
  const { width } = shownSize(size)
  if (width >= COLUMN) return '(min-width: 44rem) 42rem, 100vw'
  return `(max-width: ${width}px) 100vw, ${width}px`
}
