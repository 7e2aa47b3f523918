/**
 * The path and query that a request means, always readable: a full address (as a proxy may send) loses its
 * origin, and where a `%` begins no escape, as in `/100%`, every `%` of the path stands for itself.
 */
export function readableAddress(target: string): string {
  const local = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  const end = local.search(/[?#]/)
  const path = end < 0 ? local : local.slice(0, end)
  const rest = end < 0 ? '' : local.slice(end)
  const rooted = path.startsWith('/') ? path : `/${path}`
  return (isDecodable(rooted) ? rooted : rooted.replaceAll('%', '%25')) + rest
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
