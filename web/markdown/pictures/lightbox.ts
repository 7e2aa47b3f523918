import { historyLayers } from '#web/ui/dialogs/history-layers.ts'
import { fittingOf } from './fitting.ts'
import './lightbox.css'

/** The time for which a gesture after scrolling still belongs to it. */
const SCROLL_END_MS = 250
/** The minimum distance of a swipe, in pixels. */
const SWIPE_PX = 48

type Picture = { src: string; shownSrc: string; alt: string; caption: string }

/**
 * Shows the pictures of a text one at a time above the page, starting with `first`. Arrows and swipes show the next, Escape, Back
 * and a click beside the picture close it; the focus returns to the picture that was shown last.
 */
export function openLightbox(buttons: readonly HTMLButtonElement[], first: number): void {
  const pictures = buttons.map(pictureOf)
  const { dialog, stage, image, caption, count } = createFrame()
  const close = button('Close', 'lightbox-close', 'M6 6l12 12M18 6 6 18', () => dialog.close())
  const previous = button('Previous picture', 'lightbox-previous', 'M15 5l-7 7 7 7', () => show(at - 1))
  const next = button('Next picture', 'lightbox-next', 'M9 5l7 7-7 7', () => show(at + 1))
  dialog.append(stage, caption, count, previous, next, close)
  let at = first
  let scrolledAt = Number.NEGATIVE_INFINITY
  stage.addEventListener('scroll', () => {
    // A picture that is read by scrolling is not closed by the same gesture.
    scrolledAt = performance.now()
  })
  image.addEventListener('load', () => fit(image, stage))

  function show(index: number) {
    const picture = pictures[index]
    if (!picture) return
    at = index
    image.alt = picture.alt
    stage.dataset.fit = 'whole'
    image.src = picture.src
    caption.textContent = picture.caption
    caption.hidden = picture.caption === ''
    count.textContent = `${index + 1} of ${pictures.length}`
    count.hidden = pictures.length === 1
    turn(previous, index > 0)
    turn(next, index < pictures.length - 1)
    for (const neighbour of [index + 1, index - 1]) preload(pictures[neighbour])
  }

  /** Shows or hides a button; if it has the focus when it is hidden, the focus stays in the dialog. */
  function turn(control: HTMLButtonElement, isThere: boolean) {
    if (!isThere && document.activeElement === control) close.focus()
    control.hidden = !isThere
  }

  // The signed URL may have expired after an hour: falls back to the picture that the page shows.
  image.addEventListener('error', () => {
    const shown = pictures[at]?.shownSrc
    if (shown && image.src !== shown) image.src = shown
  })
  dialog.addEventListener('keydown', (event) => {
    const targets: { [key: string]: number } = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: pictures.length - 1,
    }
    const target = targets[event.key]
    // The page's own shortcuts must not run.
    event.stopPropagation()
    // In a wide picture, the arrows scroll.
    if (target === undefined || (stage.dataset.fit === 'wide' && document.activeElement === stage)) return
    event.preventDefault()
    show(target)
  })
  dialog.addEventListener('click', ({ target }) => {
    if (target === stage || target === dialog) dialog.close()
  })
  followSwipes(stage, (across, down) => {
    if (performance.now() - scrolledAt < SCROLL_END_MS) return
    if (Math.abs(down) > Math.abs(across)) dialog.close()
    else show(across < 0 ? at + 1 : at - 1)
  })

  document.body.append(dialog)
  const removeLayer = historyLayers().open(() => {
    dialog.close()
    return true
  })
  dialog.addEventListener('close', () => {
    removeLayer()
    dialog.remove()
    buttons[at]?.focus()
  })
  show(first)
  dialog.showModal()
}

/** Creates the elements that a picture is shown in. */
function createFrame() {
  const dialog = document.createElement('dialog')
  dialog.className = 'lightbox'
  dialog.setAttribute('aria-label', 'Picture')
  const image = document.createElement('img')
  const stage = document.createElement('div')
  stage.className = 'lightbox-stage'
  stage.append(image)
  const caption = document.createElement('p')
  caption.className = 'lightbox-caption'
  const count = document.createElement('p')
  count.className = 'lightbox-count'
  count.setAttribute('aria-live', 'polite')
  return { dialog, stage, image, caption, count }
}

/** A picture that would be too small to read if all of it were shown is as wide, or as high, as there is room, and scrolls. */
function fit(image: HTMLImageElement, stage: HTMLElement) {
  const fitting = fittingOf(image, stage)
  stage.dataset.fit = fitting
  const scrolls = fitting !== 'whole'
  stage.tabIndex = scrolls ? 0 : -1
  if (scrolls) stage.setAttribute('aria-label', 'The picture, which scrolls')
  else stage.removeAttribute('aria-label')
  stage.scrollTo(0, 0)
}

function pictureOf(button: HTMLButtonElement): Picture {
  const image = button.querySelector<HTMLImageElement>('img:not(.media-blur)')
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches && image?.closest('picture')
  const shownSrc = image?.currentSrc ?? ''
  return {
    src: (isStill ? shownSrc : (image?.dataset.src ?? image?.src)) ?? '',
    shownSrc,
    alt: image?.alt ?? '',
    caption: button.parentElement?.querySelector('.media-caption')?.textContent ?? '',
  }
}

function preload(picture: Picture | undefined) {
  if (picture) new Image().src = picture.src
}

function button(label: string, className: string, path: string, press: () => void): HTMLButtonElement {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = `lightbox-button ${className}`
  element.setAttribute('aria-label', label)
  const icon = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  icon.setAttribute('viewBox', '0 0 24 24')
  icon.setAttribute('aria-hidden', 'true')
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  line.setAttribute('d', path)
  icon.append(line)
  element.append(icon)
  element.addEventListener('click', press)
  return element
}

/** Reports the distance of a single finger; two fingers zoom. */
function followSwipes(element: HTMLElement, onSwipe: (across: number, down: number) => void) {
  let start: { x: number; y: number } | null = null
  element.addEventListener('touchstart', ({ touches: [first, second] }) => {
    start = first && !second ? { x: first.clientX, y: first.clientY } : null
  })
  element.addEventListener('touchend', ({ changedTouches: [touch] }) => {
    if (!start || !touch || (window.visualViewport?.scale ?? 1) > 1) return
    const across = touch.clientX - start.x
    const down = touch.clientY - start.y
    start = null
    if (Math.max(Math.abs(across), Math.abs(down)) >= SWIPE_PX) onSwipe(across, down)
  })
}
