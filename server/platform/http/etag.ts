/** A client sends the few tags that it has of one address; a longer header is ignored, as if nothing had been sent. */
const HEADER_CHARACTERS_MAX = 1_000

/** Whether an If-None-Match header names the validator. */
export function isKnown(validator: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch.length > HEADER_CHARACTERS_MAX) return false
  if (ifNoneMatch === validator) return true
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').map(opaque).includes(opaque(validator))
}
