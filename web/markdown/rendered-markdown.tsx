import {
  createContext,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { playVideo } from './play-video.ts'
import { ticksOf, withoutTicks } from './ticks.ts'

type RenderedMarkdownProps = {
  name: string
  html: string | undefined
  /** Called when somebody ticks a task, or takes a tick away. Without it, tasks can only be read. */
  onTick?: ((offset: number, isDone: boolean) => void) | undefined
}

/**
 * Shows HTML from `renderMarkdown`, and only such HTML, because it is inserted unescaped. Without `html` it is the markup
 * that the page was rendered with under that name; hydration leaves it unchanged.
 */
export function RenderedMarkdown({ name, html, onTick }: RenderedMarkdownProps) {
  const sent = useSentMarkup(name)
  const current = html ?? sent
  const box = useRef<HTMLDivElement>(null)
  const shown = useWithoutNewTicks(current)
  const canTick = onTick !== undefined

  useLayoutEffect(() => {
    const ticks = ticksOf(current)
    for (const input of box.current?.querySelectorAll<HTMLInputElement>('input[data-task]') ?? []) {
      input.disabled = !canTick
      input.checked = ticks.get(input.dataset.task ?? '') ?? input.checked
    }
  }, [current, canTick])

  const onChange = useEffectEvent(({ target }: Event) => {
    if (target instanceof HTMLInputElement && target.dataset.task)
      onTick?.(Number(target.dataset.task), target.checked)
  })

  useEffect(() => {
    const element = box.current
    element?.addEventListener('click', playVideo)
    element?.addEventListener('change', onChange)
    return () => {
      element?.removeEventListener('click', playVideo)
      element?.removeEventListener('change', onChange)
    }
  }, [])

  useEffect(() => {
    const ended = new AbortController()
    if (box.current && shown.includes('media-image')) void openPictures(box.current, ended.signal)
    return () => ended.abort()
  }, [shown])

  return (
    <div ref={box} data-markup={name} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: shown }} />
  )
}

/**
 * Returns the HTML to insert: the same as before as long as only ticks have changed, because inserting it again would take
 * the focus from a checkbox and stop a video.
 */
function useWithoutNewTicks(html: string): string {
  const [shown, setShown] = useState(html)
  if (shown === html || withoutTicks(shown) === withoutTicks(html)) return shown
  setShown(html)
  return html
}

/** Lets the pictures of a text be looked at by themselves. A text without pictures loads nothing for it. */
async function openPictures(box: HTMLElement, signal: AbortSignal): Promise<void> {
  try {
    const { makePicturesOpen } = await import('./pictures/pictures.ts')
    if (!signal.aborted) makePicturesOpen(box, signal)
  } catch (error) {
    // oxlint-disable-next-line no-console -- the pictures are there all the same
    console.warn(error)
  }
}

/** On the server: the HTML that the loaders sent with the page, by name. */
export const SentMarkup = createContext<ReadonlyMap<string, string> | null>(null)

/** Returns HTML that a page contains only as markup, not again as data: from the loader, or in the browser from the DOM. */
function useSentMarkup(name: string): string {
  const sent = useContext(SentMarkup)
  const [markup] = useState(() => (typeof document === 'undefined' ? sent?.get(name) : fromDom(name)))
  return markup ?? ''
}

function fromDom(name: string): string | undefined {
  return document.querySelector(`[data-markup="${CSS.escape(name)}"]`)?.innerHTML
}
