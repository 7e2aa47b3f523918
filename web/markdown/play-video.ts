const players: { [name: string]: (id: string, link: string) => string } = {
  youtube: (id) => `https://www.youtube-nocookie.com/embed/${encodeURIComponent(id)}?autoplay=1`,
  vimeo: (id) => `https://player.vimeo.com/video/${encodeURIComponent(id)}?autoplay=1&dnt=1`,
  // Only from hosts that the operator allows.
  peertube: (id, link) =>
    `https://${new URL(link).host}/videos/embed/${encodeURIComponent(id)}?autoplay=1&p2p=0`,
}

/**
 * Replaces the pressed link to a video by its player, so that nothing is loaded from another site without a press. The content
 * security policy lists the players (server/pages/headers.ts).
 */
export function playVideo(event: MouseEvent): void {
  const link =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-video]') : null
  const { video = '', id = '' } = link?.dataset ?? {}
  const source = players[video]?.(id, link?.href ?? '')
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
