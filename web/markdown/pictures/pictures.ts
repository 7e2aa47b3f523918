/** Returns the pictures of a text that can be opened; those in links are excluded. */
const picturesIn = (text: HTMLElement) =>
  [...text.querySelectorAll<HTMLElement>('.media-image')].filter((frame) => !frame.closest('a'))

/**
 * Makes each picture of a text a button that opens it in the lightbox, until the signal. The lightbox is loaded on the first
 * press; `pressed` was pressed before this ran, and opens immediately.
 */
export function makePicturesOpen(text: HTMLElement, signal: AbortSignal, pressed: EventTarget | null): void {
  for (const frame of picturesIn(text)) wrap(frame)

  function open({ target }: MouseEvent) {
    const pressed = target instanceof Element ? target.closest<HTMLElement>('.media-open') : null
    if (!pressed) return
    const buttons = [...text.querySelectorAll<HTMLButtonElement>('.media-open')]
    import('./lightbox.ts').then(
      ({ openLightbox }) => openLightbox(buttons, buttons.indexOf(pressed as HTMLButtonElement)),
      // oxlint-disable-next-line no-console -- the picture in the text stays visible
      (error: unknown) => console.warn(error),
    )
  }

  text.addEventListener('click', open, { signal })
  if (pressed instanceof Element) {
    pressed.closest('.media-image')?.querySelector<HTMLElement>('.media-open')?.click()
  }
}

function wrap(frame: HTMLElement) {
  if (frame.querySelector('.media-open')) return
  const parts = [...frame.children].filter((part) => part.matches('img, picture'))
  const image = parts
    .flatMap((part) => (part.matches('img') ? part : [...part.querySelectorAll('img')]))
    .at(-1)
  if (!image) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'media-open'
  button.setAttribute('aria-haspopup', 'dialog')
  if (image.getAttribute('alt') === '') button.setAttribute('aria-label', 'View the picture')
  frame.prepend(button)
  button.append(...parts)
}
