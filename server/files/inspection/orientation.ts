import readExif from 'exif-reader'

/** Returns the orientation in EXIF data, from 1 to 8; 1 if there is none. */
export function orientationOf(exif: Buffer | undefined): number {
  if (!exif) return 1
  try {
    const value = readExif(exif).Image?.Orientation
    return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 8 ? value : 1
  } catch {
    return 1 // not valid EXIF data, which no browser reads either
  }
}

/** Returns EXIF data with only an orientation: a little-endian TIFF directory with one entry. */
export function orientationExif(orientation: number): Buffer {
  const value = `0${orientation & 15}000000`
  return Buffer.from(`49492a000800000001001201030001000000${value}00000000`, 'hex')
}
