import { setImmediate } from 'node:timers/promises'

const ENTITIES: { [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }
/** Elements between which no space is needed. */
const INLINE = /^<\/?(?:a|abbr|b|bdi|code|del|em|i|ins|kbd|mark|s|span|strong|sub|sup|u)\b/i

/** The number of a note, which belongs to no word, and the arrow back to it. */
const REFERENCE = /<a href="#footnote-[^<>"]*"(?: id="[^<>"]*")? aria-label="[^<>"]*">[^<>]*<\/a>/g

/** How much HTML is read before others get their turn. */
const AT_ONCE = 50_000

/**
 * Returns the text of rendered HTML, with the descriptions of pictures. The HTML is Milepost's own, so that no tag contains `<`; what
 * is returned is only ever shown as text.
 */
export const textOfHtml = (html: string): string => plain(html).trim()

/** Like `textOfHtml`, for HTML of any length, whose formulas may take a megabyte. */
export async function longTextOfHtml(html: string): Promise<string> {
  let text = ''
  for (let from = 0; from < html.length; ) {
    const next = html.indexOf('<', from + AT_ONCE)
    const to = next < 0 ? html.length : next
    text += plain(html.slice(from, to))
    from = to
    await setImmediate()
  }
  return text.trim()
}

const plain = (html: string) =>
  html
    .replace(REFERENCE, '')
    .replace(/<[^<>]*>/g, (tag) => {
      const described = /^<(?:img|video|audio)\b[^>]*? (?:alt|aria-label|title)="([^"]*)"/i.exec(tag)?.[1]
      if (described) return ` ${described} `
      return INLINE.test(tag) ? '' : ' '
    })
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? ' ')
    .replace(/\s+/g, ' ')
