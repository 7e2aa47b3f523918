/** An address within attributes that React has written: text cannot hold a bare quotation mark. */
const address = / (href|src)="([^"]*)"/g

/** Rendered HTML whose every address stands on its own, for readers who are elsewhere. `base` is where it belongs. */
export function withAbsoluteLinks(html: string, base: string): string {
  return html.replace(address, (attribute, name: string, value: string) => {
    // An address that was blanked leads nowhere, and shall go on doing so.
    const absolute = value === '' ? null : URL.parse(value, base)
    return absolute ? ` ${name}="${absolute.href}"` : attribute
  })
}
