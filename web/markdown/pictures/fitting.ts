/** The ratio from which a picture is very tall or very wide. */
const RATIO = 3
/** A picture of which less than this part of the stage's width or height would be filled is made larger than the stage. */
const SMALLEST_PART = 0.34

type Size = { naturalWidth: number; naturalHeight: number }

/** Returns how a picture is shown in a room: whole, or scrolled because it is very tall or very wide. */
export function fittingOf(
  { naturalWidth, naturalHeight }: Size,
  { clientWidth, clientHeight }: { clientWidth: number; clientHeight: number },
): 'whole' | 'tall' | 'wide' {
  if (naturalWidth === 0 || naturalHeight === 0) return 'whole'
  const ratio = naturalWidth / naturalHeight
  if (ratio < RATIO && ratio > 1 / RATIO) return 'whole'
  const scale = Math.min(1, clientWidth / naturalWidth, clientHeight / naturalHeight)
  // A picture that is small itself does not become more readable.
  const isSmall = (shown: number, natural: number, room: number) =>
    shown < SMALLEST_PART * Math.min(room, natural)
  if (isSmall(naturalWidth * scale, naturalWidth, clientWidth)) return 'tall'
  return isSmall(naturalHeight * scale, naturalHeight, clientHeight) ? 'wide' : 'whole'
}
