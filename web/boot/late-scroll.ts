import { readStoredAs } from '#web/api/browser-storage.ts'

/** Where React Router stores how far each entry of the history was scrolled. */
const KEY = 'react-router-scroll-positions'
const GIVEN_UP_MS = 10_000

const positions = { parse: (value: unknown) => value as { [key: string]: unknown } | null }

/**
 * Scrolls a document that was loaded again to where it was, once its list is long enough: React Router does so before the data is
 * here. Ends when the person scrolls, presses something or leaves the screen.
 */
export function scrollWhenLoaded(): () => void {
  const { signal, end } = untilInput()
  const key = (history.state as { key?: string } | null)?.key ?? 'default'
  const wanted = readStoredAs(KEY, positions, 'tab')?.[key]
  if (typeof wanted !== 'number' || wanted <= 0 || location.hash !== '') return end
  const root = document.documentElement
  const sizes = new ResizeObserver(() => {
    if (root.scrollHeight - innerHeight < wanted) return
    scrollTo(0, wanted)
    end()
  })
  sizes.observe(document.body)
  signal.addEventListener('abort', () => sizes.disconnect())
  return end
}

function untilInput() {
  const ended = new AbortController()
  const { signal } = ended
  const end = () => ended.abort()
  for (const name of ['wheel', 'touchstart', 'pointerdown', 'keydown', 'popstate', 'pagehide'])
    addEventListener(name, end, { signal, capture: true, passive: true })
  const late = setTimeout(end, GIVEN_UP_MS)
  signal.addEventListener('abort', () => clearTimeout(late))
  return { signal, end }
}
