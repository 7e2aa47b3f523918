import type { FileKind, FileLimits } from '#contract/files.ts'
import { limitOf, tooLargeText } from '#contract/parts/sizes.ts'
import { fittingPicture } from './shrink-picture.ts'
import type { RejectedFile } from './upload.ts'

/** The formats that a file picker offers as pictures. HEIC is omitted, so that iOS converts pictures to JPEG; the server reads it too. */
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

/**
 * Returns the chosen files that can be uploaded, with pictures over the limits made smaller, and the errors of the
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
    const fitting = await fittingPicture(withType(file), limits.picture)
    const message = fileError(fitting, limits, alreadyThere + accepted.length)
    if (message === null) accepted.push(fitting)
    else rejected.push({ name: file.name, message })
  }
  return { accepted, rejected }
}

/** Returns the reason why a file cannot be uploaded, as a sentence that names it and the limit, or null if it can. */
export function fileError({ name, size, type }: File, limits: FileLimits, count: number): string | null {
  if (count >= limits.perEntry)
    return `“${name}” was not added: an entry can have at most ${limits.perEntry} files.`
  if (size === 0) return `“${name}” is empty.`
  const limited = limitOf[kindByType(type)]
  // A browser reports no type for a video format that it does not know.
  const max = type === '' ? Math.max(limits[limited], limits.video) : limits[limited]
  return size > max ? `${tooLargeText(name, limited, max)}.` : null
}

/** Returns the kind of a file by its media type. The server detects the kind from the content. */
export function kindByType(type: string): FileKind {
  const kind = /^(image|video|audio)\/(?!svg)/.exec(type)?.[1]
  return (kind as FileKind | undefined) ?? 'other'
}

/** Returns a HEIC picture with its type, which most browsers do not know. */
const withType = (file: File): File =>
  file.type === '' && /\.hei[cf]$/i.test(file.name)
    ? new File([file], file.name, { type: 'image/heic' })
    : file

/** Whether a file is a picture that only some browsers show before the server has converted it. */
export const isHeic = ({ type }: Blob): boolean => /^image\/hei[cf]/.test(type)
