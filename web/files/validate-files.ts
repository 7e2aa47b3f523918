import type { FileKind, FileLimits } from '#contract/files.ts'
import type { RejectedFile } from './upload.ts'

const MEGABYTE = 1024 * 1024
const JPEG_QUALITY = 0.92

/** The formats that a file picker offers as pictures. HEIC is omitted, so that iOS converts pictures to JPEG. */
export const PICTURES = 'image/jpeg,image/png,image/webp,image/avif,image/gif'

/** Referenced while it is open: Safari would garbage-collect an unreferenced picker. */
let picker: HTMLInputElement | undefined

/** Opens the browser's file picker in a user gesture, and passes on the chosen files. */
export function pickFiles(accept: string, onChosen: (files: File[]) => void): void {
  const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true, accept })
  input.addEventListener('change', () => onChosen([...(input.files ?? [])]), { once: true })
  picker = input
  picker.click()
}

/** Returns a size for people, such as 3.4 MB. */
export function sizeText(bytes: number): string {
  if (bytes < MEGABYTE / 10) return `${Math.max(1, Math.round(bytes / 1024))} kB`
  return `${(bytes / MEGABYTE).toFixed(bytes < 10 * MEGABYTE ? 1 : 0)} MB`
}

/**
 * Returns the chosen files that can be uploaded, with pictures in a format that every browser shows, and the errors of the
 * others. The server checks them again, by their content.
 */
export async function validateFiles(
  files: readonly File[],
  limits: FileLimits,
  alreadyThere: number,
): Promise<{ accepted: File[]; rejected: RejectedFile[] }> {
  const accepted: File[] = []
  const rejected: RejectedFile[] = []
  for (const file of files) {
    const converted = isHeic(file) ? await toJpeg(file) : file
    const message = converted
      ? fileError(converted, limits, alreadyThere + accepted.length)
      : `“${file.name}” is a HEIC picture, which this browser cannot open. Save it as JPEG, or add it on the phone that took it.`
    if (message !== null) rejected.push({ name: file.name, message })
    else if (converted) accepted.push(converted)
  }
  return { accepted, rejected }
}

/** Returns the reason why a file cannot be uploaded, as a sentence that names it and the limit, or null if it can. */
export function fileError({ name, size, type }: File, limits: FileLimits, count: number): string | null {
  if (count >= limits.perEntry)
    return `“${name}” was not added: an entry can have at most ${limits.perEntry} files.`
  if (size === 0) return `“${name}” is empty.`
  const { noun, max } = limitOf(type, limits)
  return size > max ? `“${name}” is too large: ${noun} may have at most ${max / MEGABYTE} MB.` : null
}

function limitOf(type: string, { picture, video, other }: FileLimits): { noun: string; max: number } {
  const kind = kindByType(type)
  if (kind === 'image') return { noun: 'a picture', max: picture }
  if (kind !== 'other') return { noun: 'a video or a recording', max: video }
  // A browser reports no type for a video format that it does not know.
  return { noun: 'a file for download', max: type === '' ? Math.max(other, video) : other }
}

/** Returns the kind of a file by its media type. The server detects the kind from the content. */
export function kindByType(type: string): FileKind {
  const kind = /^(image|video|audio)\/(?!svg)/.exec(type)?.[1]
  return (kind as FileKind | undefined) ?? 'other'
}

const isHeic = ({ name, type }: File) =>
  /^image\/hei[cf]/.test(type) || (type === '' && /\.hei[cf]$/i.test(name))

/** Returns a HEIC picture as JPEG, or null in a browser that cannot read it. */
async function toJpeg(file: File): Promise<File | null> {
  try {
    const bitmap = await createImageBitmap(file)
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
    bitmap.close()
    const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: JPEG_QUALITY })
    return new File([jpeg], file.name.replace(/\.hei[cf]$/i, '.jpg'), { type: 'image/jpeg' })
  } catch {
    return null
  }
}
