import { FILE_BYTES_MAX } from '#contract/wire.ts'

export const NOT_AN_IMAGE = 'This file is not an image that can be shown: JPEG, PNG, WebP, GIF or AVIF.'
export const TOO_LARGE = 'The image is too large: it may have at most 10 MB.'

const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']

/** Why a file cannot be the image of an entry; null if it may. One of unknown type is for the server to judge. */
export function refusalOf({ type, size }: Blob): string | null {
  if (type !== '' && !TYPES.includes(type)) return NOT_AN_IMAGE
  return size > FILE_BYTES_MAX ? TOO_LARGE : null
}

/** The file that a paste brings. Where there is text as well (a table's cells, say), the text is meant. */
export function pastedFile(pasted: DataTransfer): File | undefined {
  return pasted.getData('text/plain') === '' ? pasted.files[0] : undefined
}

const KB = 1024

export function fileSize(bytes: number): string {
  return bytes < KB * KB ? `${Math.ceil(bytes / KB)} KB` : `${(bytes / KB / KB).toFixed(1)} MB`
}
