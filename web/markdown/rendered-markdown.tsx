import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { playVideo } from './play-video.ts'
import { keepPlayers, playersIn, renewURLs, withoutSignatures } from './players.ts'
import { followWithin, withScopedIds } from './scoped-ids.ts'
import { ticksOf, withoutTicks } from './ticks.ts'

type RenderedMarkdownProps = {
  name: string
  html: string
  /** Called when a task is ticked or unticked. Without it, tasks are read-only. */
  onTick?: ((offset: number, isDone: boolean) => void) | undefined
  /** The prefix of its ids, for a text in a dialog. Its links to them do not change the URL. */
  scope?: string
  /** Fetches the text again, if the URLs of its files expire. */
  onExpired?: (() => Promise<unknown>) | undefined
}

/**
 * Shows HTML from `renderMarkdown`, and only such HTML, because it is inserted unescaped. On public pages, `islands/main.ts` does
 * what its effects do.
 */
export function RenderedMarkdown({ name, html, onTick, scope, onExpired }: RenderedMarkdownProps) {
  const current = scope === undefined ? html : withScopedIds(html, scope)
  const box = useRef<HTMLDivElement>(null)
  const shown = useUnlessEqual(current)
  const canTick = onTick !== undefined
  const players = useRef<HTMLMediaElement[]>([])

  useLayoutEffect(() => {
    if (!box.current) return
    keepPlayers(players.current, box.current)
    players.current = playersIn(box.current)
  })

  useLayoutEffect(() => {
    if (box.current && current !== shown) renewURLs(box.current, current)
  }, [current, shown])

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

  const hasPlayers = shown.includes('<video') || shown.includes('<audio')
  const renew = useEffectEvent(() => onExpired)

  useEffect(() => {
    if (!hasPlayers || !box.current) return undefined
    const ended = new AbortController()
    void watchPlayers(box.current, ended.signal, () => renew())
    return () => ended.abort()
  }, [hasPlayers])

  useEffect(() => {
    const element = scope === undefined ? null : box.current
    element?.addEventListener('click', followWithin)
    return () => element?.removeEventListener('click', followWithin)
  }, [scope])

  useEffect(() => {
    const ended = new AbortController()
    if (box.current && shown.includes('media-image')) void openPictures(box.current, ended.signal)
    if (box.current && shown.includes('language-mermaid')) void drawDiagrams(box.current, ended.signal)
    return () => ended.abort()
  }, [shown])

  return (
    // Nobody has said in which language the text is.
    <div
      ref={box}
      lang=""
      data-markup={name}
      suppressHydrationWarning
      dangerouslySetInnerHTML={{ __html: shown }}
    />
  )
}

const comparable = (html: string) => withoutSignatures(withoutTicks(html))

/**
 * Returns the HTML to insert. If only ticks or the signatures of URLs have changed, it is the previous one, because inserting HTML
 * again would remove the focus from a checkbox and load every picture and film again.
 */
function useUnlessEqual(html: string): string {
  const [shown, setShown] = useState(html)
  if (shown === html || comparable(shown) === comparable(html)) return shown
  setShown(html)
  return html
}

/** Makes the pictures of a text open in the lightbox. A text without pictures loads no code for it. */
async function openPictures(box: HTMLElement, signal: AbortSignal): Promise<void> {
  let pressed: EventTarget | null = null
  const remember = ({ target }: Event) => {
    pressed = target
  }
  box.addEventListener('click', remember, { signal })
  try {
    const { makePicturesOpen } = await import('./pictures/pictures.ts')
    box.removeEventListener('click', remember)
    if (!signal.aborted) makePicturesOpen(box, signal, pressed)
  } catch (error) {
    // oxlint-disable-next-line no-console -- the pictures in the text stay visible
    console.warn(error)
  }
}

/** Continues the players of a text when their URLs have expired, and says what the browser cannot play. */
async function watchPlayers(
  box: HTMLElement,
  signal: AbortSignal,
  renew: () => (() => Promise<unknown>) | undefined,
) {
  try {
    const watching = await import('./watch-players.ts')
    if (!signal.aborted) watching.watchPlayers(box, signal, renew)
  } catch (error) {
    // oxlint-disable-next-line no-console -- the players work without, until their URLs expire
    console.warn(error)
  }
}

/** Makes the diagrams of a text drawable. */
async function drawDiagrams(box: HTMLElement, signal: AbortSignal): Promise<void> {
  try {
    const { offerDiagrams } = await import('./diagrams/diagrams.ts')
    if (!signal.aborted) offerDiagrams(box, signal)
  } catch (error) {
    // oxlint-disable-next-line no-console -- their code stays visible
    console.warn(error)
  }
}
