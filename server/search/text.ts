const ENTITIES: { [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }
/** Elements between which no space is needed. */
const INLINE = /^<\/?(?:a|abbr|b|bdi|code|del|em|i|ins|kbd|mark|s|span|strong|sub|sup|u)\b/i

/**
 * Returns the text of rendered HTML, with the descriptions of pictures. The HTML is Milepost's own; what is returned is only ever
 * shown as text.
 */
export function textOfHtml(html: string): string {
  return html
    .replace(/<[^>]*>/g, (tag) => {
      const described = /^<(?:img|video|audio)\b[^>]*? (?:alt|aria-label|title)="([^"]*)"/i.exec(tag)?.[1]
      if (described) return ` ${described} `
      return INLINE.test(tag) ? '' : ' '
    })
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
