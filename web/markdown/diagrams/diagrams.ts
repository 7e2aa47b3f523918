import { DIAGRAM_COLORS, DIAGRAM_FRAME_PATH, type DrawRequest, type FrameMessage } from './protocol.ts'

/** Matches the code of diagrams in the HTML of `renderMarkdown`. */
const DIAGRAM_CODE = 'pre > code.language-mermaid'

/** The timeout for loading the library and drawing, after which the frame is removed. */
const DRAWING_MS = 20_000
const HEIGHT_MAX = 4_000

/** Adds a button after each diagram's code that replaces the code by the drawing, until the signal. */
export function offerDiagrams(text: HTMLElement, signal: AbortSignal): void {
  for (const code of text.querySelectorAll<HTMLElement>(DIAGRAM_CODE)) {
    const block = code.parentElement
    if (!block || block.nextElementSibling?.matches('.diagram')) continue
    const box = document.createElement('div')
    box.className = 'diagram'
    box.append(createButton('Draw diagram'))
    block.after(box)
  }
  text.addEventListener('click', toggle, { signal })
}

function createButton(label: string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = label
  return button
}

function toggle({ target }: MouseEvent) {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>('.diagram > button') : null
  const box = button?.parentElement
  const block = box?.previousElementSibling
  if (!button || !box || !(block instanceof HTMLElement)) return
  if (box.querySelector('iframe')) showCode(box, block)
  else draw(box, block)
}

/** Shows the code again and, if the diagram could not be drawn, the reason. */
function showCode(box: HTMLElement, block: HTMLElement, message?: string) {
  const button = createButton('Draw diagram')
  const hadFocus = box.contains(document.activeElement)
  block.hidden = false
  box.replaceChildren(button)
  if (message) {
    const alert = document.createElement('p')
    alert.setAttribute('role', 'alert')
    alert.textContent = message
    box.append(alert)
  }
  if (hadFocus) button.focus()
}

function draw(box: HTMLElement, block: HTMLElement) {
  const frame = document.createElement('iframe')
  frame.title = 'Diagram'
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.src = DIAGRAM_FRAME_PATH
  const button = box.querySelector('button')
  if (button) button.textContent = 'Show code'
  box.setAttribute('aria-busy', 'true')
  box.querySelector('[role=alert]')?.remove()
  const ended = new AbortController()
  const { signal } = ended
  // The frame's origin is opaque, so it cannot be named.
  const send = () => frame.contentWindow?.postMessage(requestOf(block), '*')
  const themes = new MutationObserver(send)
  signal.addEventListener('abort', () => themes.disconnect())

  const end = () => {
    clearTimeout(timeout)
    box.removeAttribute('aria-busy')
  }
  const fail = (message: string) => {
    end()
    ended.abort()
    showCode(box, block, message)
  }
  const timeout = setTimeout(() => fail('This diagram takes too long to draw.'), DRAWING_MS)

  function receive({ source, data }: MessageEvent<FrameMessage>) {
    if (!frame.isConnected) {
      end()
      return ended.abort()
    }
    if (source !== frame.contentWindow) return
    if (data.kind === 'ready') {
      send()
      themes.observe(document.documentElement, { attributeFilter: ['class'] })
    }
    if (data.kind === 'failed') fail(`This diagram could not be drawn: ${data.reason}.`)
    if (data.kind === 'drawn') {
      end()
      block.hidden = true
      frame.height = String(Math.min(HEIGHT_MAX, Math.ceil(data.height)))
    }
  }

  addEventListener('message', receive, { signal })
  box.append(frame)
}

function requestOf(block: HTMLElement): DrawRequest {
  const sample = document.createElement('span')
  sample.style.transition = 'none'
  block.append(sample)
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  /** Returns a color as `#rrggbb`, the only notation that the library accepts. */
  const hexOf = (name: string) => {
    if (!canvas) return '#808080'
    sample.style.color = `var(--${name})`
    canvas.fillStyle = getComputedStyle(sample).color
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
    return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
  }
  const colors = Object.fromEntries(DIAGRAM_COLORS.map((name) => [name, hexOf(name)]))
  sample.remove()
  return {
    source: block.textContent,
    isDark: getComputedStyle(block).colorScheme.startsWith('dark'),
    colors: colors as DrawRequest['colors'],
  }
}
