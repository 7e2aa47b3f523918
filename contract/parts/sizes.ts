/** The unit of settings, limits and texts, for uploads as for quotas: as disks and file managers count, not 1,024². */
export const MEGABYTE = 1_000_000
export const GIGABYTE = 1_000 * MEGABYTE

/** Returns a size for people, such as 3.4 MB or 1.2 GB. */
export function sizeText(bytes: number, locale?: string): string {
  if (bytes > 0 && bytes < MEGABYTE / 10) return `${Math.max(1, Math.round(bytes / 1_000))} kB`
  const [amount, unit] = inUnit(bytes)
  return `${amount.toLocaleString(locale, { maximumFractionDigits: amount < 10 ? 1 : 0 })} ${unit}`
}

/** Returns a limit in full, in English as all messages of the server: what is below it is not refused. */
export function limitText(bytes: number): string {
  const [amount, unit] = inUnit(bytes)
  return `${amount.toLocaleString('en', { maximumFractionDigits: 9 })} ${unit}`
}

const inUnit = (bytes: number): [number, string] =>
  bytes < GIGABYTE ? [bytes / MEGABYTE, 'MB'] : [bytes / GIGABYTE, 'GB']

const NOUNS = {
  picture: 'a picture',
  video: 'a video or a recording',
  other: 'a file for download',
} as const
/** A kind of files with a limit of its own. */
export type Limited = keyof typeof NOUNS

/** The limit of each kind of files, by which the browser, an upload and an import refuse them. Videos and recordings share one. */
export const limitOf = {
  image: 'picture',
  video: 'video',
  audio: 'video',
  other: 'other',
} as const satisfies { [kind: string]: Limited }

/** Returns why a file is refused that is larger than its kind may be, without the full stop. */
export const tooLargeText = (name: string, limited: Limited, max: number): string =>
  `“${name}” is too large: ${NOUNS[limited]} may have at most ${limitText(max)}`
