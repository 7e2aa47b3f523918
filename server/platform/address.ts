/** Segments that mean what they say, as nearly all do. */
const ORDINARY = /^(?:\/[\w~-][\w~.-]*)*\/?$/

/**
 * The path and query that a request means, in one spelling and always readable: a full address (as a proxy may send)
 * loses its origin; escapes that need not be, dot segments and backslashes are resolved as a browser would, so that what
 * is limited, logged and routed is one and the same; and where a `%` begins no escape, as in `/100%`, every `%` of the
 * path stands for itself.
 */
export function readableAddress(target: string): string {
  const local = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  const end = local.search(/[?#]/)
  const path = end < 0 ? local : local.slice(0, end)
  const rest = end < 0 ? '' : local.slice(end)
  const rooted = path.startsWith('/') ? path : `/${path}`
  return (ORDINARY.test(rooted) ? rooted : resolved(rooted)) + rest
}

function resolved(path: string): string {
  const decodable = isDecodable(path) ? path : path.replaceAll('%', '%25')
  const plain = decodable.replaceAll(/%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi, decodeURIComponent)
  return new URL(`http://any${plain}`).pathname
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
