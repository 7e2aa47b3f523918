import type { ByteRange } from '#server/platform/files/files.ts'

type Headers = { range?: string | undefined; 'if-range'?: string | string[] | undefined }

const single = /^bytes=(\d{0,15})-(\d{0,15})$/

/**
 * The part of a file that a request asks for: undefined for all of it, null where the file has no such part. Several parts,
 * and a part of another version (`If-Range`), are answered with all of it.
 */
export function rangeOf(
  headers: Headers,
  { size, etag }: { size: number; etag: string },
): ByteRange | null | undefined {
  const [, first, last] = single.exec(headers.range?.replaceAll(' ', '') ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (headers['if-range'] !== undefined && headers['if-range'] !== etag) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  return start >= size || (first === '' && Number(last) === 0) ? null : { start, end }
}
