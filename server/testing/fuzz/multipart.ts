import * as fc from 'fast-check'
import { naughtyText } from './values.ts'

const BOUNDARY = 'fuzz'

type Part = { name: string; value: string; filename: string | undefined }

/** Generates multipart forms. Most are complete; some are truncated, have too many parts, or declare another boundary. */
export function formsOf(bodies: fc.Arbitrary<unknown>): fc.Arbitrary<{ type: string; payload: string }> {
  const parts = bodies.map(partsOf)
  const file = fc.record({
    name: fc.constantFrom('image', 'image', 'title', '__proto__', ''),
    value: fc.oneof(naughtyText, fc.constantFrom('\x89PNG\r\n\x1a\n', 'GIF89a', '<svg onload="alert(1)"/>')),
    filename: fc.constantFrom('a.png', '../../etc/passwd', 'a"; name="title', '', undefined),
  })
  const extra = fc.array(file, { maxLength: 2 })
  const repeated = fc.oneof(
    { weight: 9, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.constant(30) },
  )
  const cut = fc.oneof(
    { weight: 4, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
  )
  const type = fc.constantFrom(
    `multipart/form-data; boundary=${BOUNDARY}`,
    `multipart/form-data; boundary=${BOUNDARY}`,
    `multipart/form-data; boundary=${BOUNDARY}`,
    'multipart/form-data; boundary=other',
    'multipart/form-data',
    'multipart/mixed; boundary=fuzz',
  )
  return fc.tuple(parts, extra, repeated, cut, type).map(([own, files, times, kept, contentType]) => {
    const all = Array.from({ length: times }, () => [...own, ...files]).flat()
    const whole = `${all.map(written).join('')}--${BOUNDARY}--\r\n`
    return { type: contentType, payload: whole.slice(0, Math.ceil(whole.length * kept)) }
  })
}

function partsOf(body: unknown): Part[] {
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
    filename: undefined,
  }))
}

function written({ name, value, filename }: Part): string {
  const file = filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: image/png`
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`
}
