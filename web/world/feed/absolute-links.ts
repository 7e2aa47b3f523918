/** A URL attribute in HTML from our Markdown renderer, which escapes quotation marks in text and values. */
const attribute = / (href|src)="([^"]+)"/g
const scheme = /^[a-z][a-z\d+.-]*:/i

/**
 * Returns rendered HTML with absolute URLs, for feed readers. `base` is the URL of its page. URLs are joined as text,
 * because parsing each of twenty thousand links would block other requests.
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
