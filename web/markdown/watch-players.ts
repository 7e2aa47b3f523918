/** Fetches the text again, whose URLs are then newly signed. Without it, they do not expire. */
type Renew = (() => Promise<unknown>) | undefined

/**
 * Watches the players in a box until the signal: continues one whose URL has expired with a new one, and says so where the browser
 * cannot play a file.
 */
export function watchPlayers(box: HTMLElement, signal: AbortSignal, renew: () => Renew): void {
  /** The URLs that were already replaced or cannot be. */
  const tried = new WeakMap<HTMLMediaElement, string>()
  /** Those that a person has started. A player that fails is paused by the browser, some before and some after its error. */
  const started = new WeakSet<EventTarget>()

  async function recover(player: HTMLMediaElement) {
    const url = player.getAttribute('src') ?? ''
    if (tried.get(player) !== url) {
      tried.set(player, url)
      const fresh = await renewedURL(player, url, renew())
      if (fresh !== null) return continueWith(player, fresh, started.has(player))
    }
    if (await isReadable(url)) explain(player, unplayable(player))
  }

  function onError({ target }: Event) {
    if (target instanceof HTMLMediaElement) void recover(target)
  }

  /** Browsers play the sound of a film whose picture they cannot decode, in black. */
  function onLoaded({ target }: Pick<Event, 'target'>) {
    if (target instanceof HTMLVideoElement && target.videoWidth === 0)
      explain(target, 'This browser can play the sound of this film, but not its picture.')
    else if (target instanceof HTMLMediaElement) problemOf(target)?.remove()
  }

  function onPlay({ target }: Pick<Event, 'target'>) {
    if (target) started.add(target)
  }

  function onPause({ target }: Event) {
    if (target instanceof HTMLMediaElement && !target.error) started.delete(target)
  }

  // These events do not bubble.
  box.addEventListener('play', onPlay, { capture: true, signal })
  box.addEventListener('pause', onPause, { capture: true, signal })
  box.addEventListener('error', onError, { capture: true, signal })
  box.addEventListener('loadedmetadata', onLoaded, { capture: true, signal })
  for (const player of box.querySelectorAll<HTMLMediaElement>('video, audio')) {
    if (!player.paused) onPlay({ target: player })
    if (player.error) void recover(player)
    else if (player.readyState > 0) onLoaded({ target: player })
  }
}

const unplayable = (player: HTMLMediaElement) =>
  `This browser cannot play this ${player instanceof HTMLVideoElement ? 'film' : 'recording'}.`

const WAIT_MS = 100
const WAITS = 20

/** Returns a newly signed URL, from a text that was fetched meanwhile or is fetched now; null if there is none. */
async function renewedURL(player: HTMLMediaElement, url: string, renew: Renew): Promise<string | null> {
  const known = () => (player.dataset.src && player.dataset.src !== url ? player.dataset.src : null)
  if (known() !== null || !renew || !url.includes('?')) return known()
  await renew().catch(() => undefined) // without a server, the address stays as it is
  // The text is shown in a later task.
  for (let waits = 0; waits < WAITS && known() === null; waits += 1)
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  return known()
}

/** Goes on at the same position, playing or not. */
function continueWith(player: HTMLMediaElement, url: string, isStarted: boolean): void {
  const { currentTime, playbackRate } = player
  player.src = url
  player.addEventListener(
    'loadedmetadata',
    () => {
      player.currentTime = currentTime
      player.playbackRate = playbackRate
      if (isStarted) player.play().catch(() => undefined) // the person may have to press again
    },
    { once: true },
  )
  player.load()
}

async function isReadable(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { method: 'HEAD' })).ok
  } catch {
    return false // the browser says that it cannot load the file
  }
}

const problemOf = (player: HTMLMediaElement) =>
  player.parentElement?.querySelector<HTMLElement>(':scope > .media-problem')

/** Shows why a file does not play, with a link to download it. */
function explain(player: HTMLMediaElement, message: string): void {
  if (problemOf(player)) return
  const words = document.createElement('span')
  words.className = 'media-problem'
  words.setAttribute('role', 'status')
  const link = document.createElement('a')
  link.href = player.dataset.src ?? player.getAttribute('src') ?? ''
  link.download = ''
  link.append('Download it')
  words.append(`${message} `, link, ' to play it with another program.')
  player.after(words)
}
