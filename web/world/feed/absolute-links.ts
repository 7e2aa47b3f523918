/** A URL within attributes that our renderer of Markdown has written: text and values hold no bare quotation mark. */
const attribute = / (href|src)="([^"]+)"/g
const scheme = /^[a-z][a-z\d+.-]*:/i

/**
 * Rendered HTML whose every URL stands on its own, for readers who are elsewhere. `base` is where it belongs. URLs are
 * joined as text, because parsing each of twenty thousand links would hold up other requests.
 */
export function withAbsoluteLinks(html: string, base: string): string {
  const { protocol, origin, pathname } = new URL(base)
  const page = origin + pathname
  const folder = page.slice(0, page.lastIndexOf('/') + 1)

  function absolute(url: string): string {
    if (scheme.test(url)) return url
    if (url.startsWith('//')) return protocol + url
    if (url.startsWith('/')) return origin + url
    if (url.startsWith('#') || url.startsWith('?')) return page + url
    return folder + url
  }

  return html.replace(attribute, (_all, name: string, url: string) => ` ${name}="${absolute(url)}"`)
}
