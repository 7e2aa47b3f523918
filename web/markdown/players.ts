const PLAYERS = 'video, audio'
/** The URL of a file, and the signature with which one person may read it for about an hour. */
const signedURL = /(\/api\/media\/[\w-]+\/[\w-]+)\?[^"\s]*/g

/** Returns rendered HTML without the signatures of its URLs, which is equal for texts that differ only in these. */
export const withoutSignatures = (html: string): string => html.replace(signedURL, '$1')

/** Returns the players of a text. */
export const playersIn = (box: ParentNode): HTMLMediaElement[] => [
  ...box.querySelectorAll<HTMLMediaElement>(PLAYERS),
]

const pathOf = (url: string) => url.replace(/\?.*/, '')

/** Whether a person has begun to play it. */
const isInUse = (player: HTMLMediaElement) => !player.paused || player.currentTime > 0

/**
 * Moves players of the former text that are in use to their places in the new text, so that they go on. This must happen in the
 * task that removed them: later, browsers pause them.
 */
export function keepPlayers(former: readonly HTMLMediaElement[], box: ParentNode): void {
  const left = former.filter((player) => !player.isConnected && isInUse(player))
  for (const fresh of playersIn(box)) {
    const path = pathOf(fresh.getAttribute('src') ?? '')
    const at = left.findIndex((player) => pathOf(player.getAttribute('src') ?? '') === path)
    const [kept] = at === -1 ? [] : left.splice(at, 1)
    if (!kept) continue
    kept.dataset.src = fresh.getAttribute('src') ?? ''
    fresh.replaceWith(kept)
  }
}

/**
 * Gives the elements of a text the newly signed URLs of the same text. What has been loaded stays: a picture and a player get the
 * URL as `data-src`, for the lightbox and for when the old one has expired.
 */
export function renewURLs(box: ParentNode, html: string): void {
  const template = document.createElement('template')
  template.innerHTML = html
  const fresh = new Map<string, string>()
  for (const element of template.content.querySelectorAll('[src], [srcset], [href]'))
    for (const name of ['src', 'srcset', 'href'])
      for (const [url, path = ''] of (element.getAttribute(name) ?? '').matchAll(signedURL))
        fresh.set(path, url)
  if (fresh.size === 0) return
  const renewed = (value: string) => value.replace(signedURL, (url, path: string) => fresh.get(path) ?? url)
  for (const element of box.querySelectorAll<HTMLElement>('[src], [srcset], [href]')) {
    const isLoaded =
      element instanceof HTMLMediaElement ||
      element instanceof HTMLSourceElement ||
      (element instanceof HTMLImageElement && element.complete)
    for (const name of ['src', 'srcset', 'href']) {
      const value = element.getAttribute(name)
      if (value === null || renewed(value) === value) continue
      if (!isLoaded) element.setAttribute(name, renewed(value))
      else if (name === 'src') element.dataset.src = renewed(value)
    }
  }
}
