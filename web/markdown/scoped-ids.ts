/**
 * Puts a prefix before the ids of a rendered text and in its links to them, so that they stay unique where it is shown above the page
 * of an entry, which has such ids too.
 */
export const withScopedIds = (html: string, scope: string): string =>
  html.replace(/ (id="|href="#)(?=(?:section|footnote)-)/g, ` $1${scope}-`)

/** Follows a pressed link to a part of the same text without changing the URL, which would close what is open above the page. */
export function followWithin(event: MouseEvent): void {
  const link =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="#"]') : null
  if (!link) return
  event.preventDefault()
  const target = document.getElementById(decodeURIComponent(link.hash.slice(1)))
  if (!target) return
  target.tabIndex = -1
  target.focus({ preventScroll: true })
  target.scrollIntoView({ block: 'nearest' })
}
