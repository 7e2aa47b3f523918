/** The address of a player by the id of a video, by its link, and by the second from which that plays it. */
const players: { [name: string]: (id: string, link: URL, start: number) => string } = {
  youtube: (id, _link, start) =>
    `https://www.youtube-nocookie.com/embed/${encodeURIComponent(id)}?autoplay=1${start ? `&start=${start}` : ''}`,
  vimeo: (id, link, start) => {
    // The key of an unlisted video: `vimeo.com/{id}/{key}`, or `h`.
    const key = link.searchParams.get('h') ?? /^\/\d+\/([\da-f]+)$/.exec(link.pathname)?.[1] ?? ''
    return `https://player.vimeo.com/video/${encodeURIComponent(id)}?autoplay=1&dnt=1${key && `&h=${encodeURIComponent(key)}`}${start ? `#t=${start}s` : ''}`
  },
  // Only from hosts that the operator allows.
  peertube: (id, { host }, start) =>
    `https://${host}/videos/embed/${encodeURIComponent(id)}?autoplay=1&p2p=0${start ? `&start=${start}` : ''}`,
}

/** Returns the second from which a link plays its video: `t` or `start`, as `90`, `90s` or `1h2m3s`. */
function startOf({ searchParams, hash }: URL): number {
  const given =
    searchParams.get('t') ?? searchParams.get('start') ?? new URLSearchParams(hash.slice(1)).get('t')
  const [, hours = 0, minutes = 0, seconds = 0] =
    /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/.exec(given ?? '') ?? []
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

/** Returns the address of the player for a pressed link; undefined if it leads to no video that can be played here. */
export function playerOf({
  href,
  dataset: { video = '', id = '' },
}: Pick<HTMLAnchorElement, 'href' | 'dataset'>) {
  const link = new URL(href)
  return players[video]?.(id, link, startOf(link))
}

/**
 * Replaces the pressed link to a video by its player, so that nothing is loaded from another site without a press. The content
 * security policy lists the players (server/pages/headers.ts).
 */
export function playVideo(event: MouseEvent): void {
  const link =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-video]') : null
  const source = link && playerOf(link)
  if (!link || !source || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  const frame = document.createElement('iframe')
  frame.title = link.textContent
  frame.allow = 'autoplay; encrypted-media; fullscreen; picture-in-picture'
  frame.setAttribute('sandbox', 'allow-popups allow-presentation allow-same-origin allow-scripts')
  frame.referrerPolicy = 'strict-origin-when-cross-origin'
  frame.src = source
  link.replaceWith(frame)
  frame.focus()
}
