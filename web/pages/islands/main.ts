import { playVideo } from '#web/markdown/play-video.ts'
import { rememberPlaces } from '#web/public/story/remember-places.ts'
import { copyFrom } from '#web/ui/controls/copy.ts'
import { DELAY_MS, hideTip, showTip } from '#web/ui/controls/tips.ts'
import { writeDates } from './dates.ts'
import { openDialogs } from './dialogs.ts'

/** Makes the controls of a public page work. Larger parts are loaded once the page has them, or they come into view. */
function start() {
  writeDates(document)
  document.addEventListener('click', (event) => {
    const copy = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-copy]') : null
    if (copy) void copyFrom(copy)
    if (event.target instanceof Element && event.target.closest('[data-prints]')) print()
    playVideo(event)
  })
  openDialogs()
  showTips()
  showPlaceOnTrail()
  rememberPlaces()
  for (const text of document.querySelectorAll<HTMLElement>('[data-markup]')) void enrich(text)
  whenVisible('[data-island="chat"]', async (part) => (await import('./chat.ts')).animateChat(part))
  whenVisible('[data-island="numbers"]', async (part) => (await import('./numbers.ts')).showNumbers(part))
  whenVisible('[data-island="reactions"]', async (form) =>
    (await import('./reactions.ts')).showReactions(form),
  )
  document.documentElement.dataset.ready = ''
}

/** Pictures that open, players that say what they cannot play, and diagrams of a rendered text. */
async function enrich(text: HTMLElement) {
  const { signal } = new AbortController()
  const parts = [
    text.querySelector('.media-image') &&
      import('#web/markdown/pictures/pictures.ts').then(({ makePicturesOpen }) =>
        makePicturesOpen(text, signal, null),
      ),
    text.querySelector('video, audio') &&
      import('#web/markdown/watch-players.ts').then(({ watchPlayers }) =>
        watchPlayers(text, signal, () => undefined),
      ),
    text.querySelector('.language-mermaid') &&
      import('#web/markdown/diagrams/diagrams.ts').then(({ offerDiagrams }) => offerDiagrams(text, signal)),
  ]
  await Promise.all(parts.filter((part) => part !== null)).catch(report)
}

/** Scrolls the milestones above a story (`Trail`) to the shown one, for browsers that do not begin there by themselves. */
function showPlaceOnTrail() {
  const shown = document.querySelector<HTMLElement>('.trail [aria-current]')
  const list = shown?.closest('ol')
  if (shown && list)
    list.scrollLeft += shown.getBoundingClientRect().left - (list.clientWidth - shown.offsetWidth) / 2
}

function whenVisible(selector: string, begin: (part: HTMLElement) => Promise<void>) {
  const part = document.querySelector<HTMLElement>(selector)
  if (!part) return
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    seen.disconnect()
    begin(part).catch(report)
  })
  seen.observe(part)
}

// oxlint-disable-next-line no-console -- the page can be read without the part
const report = (error: unknown) => console.warn(error)

/** Shows the names of buttons, as `Tooltip` does in the app. */
function showTips() {
  let timer: ReturnType<typeof setTimeout> | undefined
  let shown: HTMLElement | undefined

  function hide() {
    clearTimeout(timer)
    if (shown) hideTip(shown)
    shown = undefined
  }

  function show(target: EventTarget | null, delay: number) {
    const button = target instanceof Element ? target.closest('#main button, #bar button') : null
    const tip = button?.nextElementSibling
    hide()
    if (!button?.parentElement || !(tip instanceof HTMLElement) || tip.getAttribute('popover') !== 'manual')
      return
    const anchor = button.parentElement
    timer = setTimeout(() => {
      shown = tip
      showTip(anchor, tip, button.getAttribute('aria-label') ?? '')
    }, delay)
  }

  document.addEventListener(
    'pointerover',
    (event) => event.pointerType === 'mouse' && show(event.target, DELAY_MS),
  )
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && target.matches(':focus-visible')) show(target, 0)
  })
  for (const type of ['focusout', 'pointerdown', 'click']) document.addEventListener(type, hide)
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide())
}

start()
