import {
  type ComponentType,
  createElement,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Spinner } from '#web/ui/feedback/loading.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { holdTyping } from './typed-ahead.ts'
import { useHistoryLayer } from './use-history-layer.ts'

/**
 * Shows that code cannot be loaded: the network failed, or the server has a newer build. Browsers cache the failure of a module
 * until the page is reloaded, so the toast offers a reload; forms keep the typed text.
 */
export function reportFailedLoad() {
  toast.error('This could not be opened. Check your connection or reload the page, then try again.', {
    label: 'Reload the page',
    run: () => window.location.reload(),
  })
}

/** The style sheets of dialogs that could not be loaded. */
const failedStyleSheets = new Set<string>()

/**
 * Records style sheets that cannot be loaded, so that the next attempt loads them again: Vite never does, and the dialog would
 * open without its styles. Returns a function that stops it.
 */
export function noteFailedStyleSheets(): () => void {
  function onError({ target }: Event) {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
    failedStyleSheets.add(target.href)
    target.remove()
  }
  addEventListener('error', onError, true)
  return () => removeEventListener('error', onError, true)
}

async function loadStyleSheet(href: string): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = href
  document.head.append(link)
  await new Promise<void>((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`${href} could not be loaded`)))
  })
  failedStyleSheets.delete(href)
}

/** A component that is loaded on demand. A failed load is retried on the next use, if the browser allows it. */
type OnDemand<Props> = {
  fetch: () => Promise<unknown>
  /** Returns the component once it is loaded. */
  peek: () => ComponentType<Props> | undefined
  /** Handlers for the control that opens it: preload it when the pointer or the focus arrives. */
  preloadProps: { onPointerEnter: () => void; onFocus: () => void }
}

export function onDemand<Props>(load: () => Promise<ComponentType<Props>>): OnDemand<Props> {
  let component: ComponentType<Props> | undefined
  let fetching: Promise<ComponentType<Props>> | undefined

  async function fetch() {
    fetching ??= Promise.all([...failedStyleSheets].map(loadStyleSheet)).then(load)
    try {
      component = await fetching
    } catch (error) {
      fetching = undefined
      throw error
    }
  }

  function preload() {
    fetch().catch(() => undefined) // using it loads it again and reports a failure
  }

  return { fetch, peek: () => component, preloadProps: { onPointerEnter: preload, onFocus: preload } }
}

type FetchedProps<Props> = {
  of: OnDemand<Props>
  with: Props
  /** Rendered until it is loaded. */
  fallback: ReactNode
  /** Called when it cannot be loaded. */
  onFailed: (error: unknown) => void
}

/** Renders a component that is loaded on demand. */
export function Fetched<Props extends object>(props: FetchedProps<Props>) {
  const { of: component, fallback } = props
  const { fetch } = component
  const loaded = component.peek()
  const [, setLoaded] = useState(loaded !== undefined)
  const reportFailure = useEffectEvent(props.onFailed)

  useEffect(() => {
    let isMounted = true
    fetch().then(
      () => isMounted && setLoaded(true),
      (error: unknown) => isMounted && reportFailure(error),
    )
    return () => {
      isMounted = false
    }
  }, [fetch])

  return loaded ? createElement(loaded, props.with) : fallback
}

type Closable = { onClose: () => void }

/**
 * A dialog whose code is loaded on demand; its buttons spread `preloadProps`. It is open while it is rendered. If the
 * code cannot be loaded, a toast says so and the dialog closes.
 */
export function dialogOnDemand<Props extends Closable>(load: () => Promise<ComponentType<Props>>) {
  const dialog = onDemand(load)

  function DialogOnDemand(props: Props) {
    function reportAndClose() {
      reportFailedLoad()
      props.onClose()
    }
    return (
      <Fetched
        of={dialog}
        with={props}
        fallback={<LoadingDialog onClose={props.onClose} />}
        onFailed={reportAndClose}
      />
    )
  }

  return Object.assign(DialogOnDemand, { preloadProps: dialog.preloadProps })
}

/**
 * Most dialogs have loaded by then: for a shorter time, making the page inert costs a slow device as much as the dialog itself.
 */
const MODAL_AFTER_MS = 200

/** Shown while a dialog loads: it blocks presses on the page behind it, keeps what is typed for it, and Escape or Back cancels. */
function LoadingDialog({ onClose }: Closable) {
  const dialog = useRef<HTMLDialogElement>(null)
  const cancel = useEffectEvent(onClose)
  useHistoryLayer(true, () => {
    onClose()
    return true
  })

  useLayoutEffect(() => {
    const { current } = dialog
    const release = withholdInput(() => cancel())
    const endTyping = holdTyping()
    const timer = setTimeout(() => {
      release()
      current?.showModal()
    }, MODAL_AFTER_MS)
    return () => {
      release()
      clearTimeout(timer)
      // Closing restores the previous focus, which the loaded dialog then remembers as its opener.
      current?.close()
      endTyping()
    }
  }, [])

  return (
    <dialog
      ref={dialog}
      aria-label="Opening"
      onCancel={onClose}
      className="m-auto overflow-visible bg-transparent outline-none backdrop:bg-transparent"
    >
      <Spinner
        label="Opening…"
        className="rounded-md border border-line bg-raised px-4 py-2 shadow-lg [animation-delay:0ms]"
      />
    </dialog>
  )
}

/** Blocks presses and keys on the page. Returns a function that stops it. */
function withholdInput(onEscape: () => void): () => void {
  const types = ['pointerdown', 'click', 'keydown'] as const

  function withhold(event: Event) {
    event.stopPropagation()
    if (event instanceof KeyboardEvent && (event.ctrlKey || event.metaKey || event.altKey)) return
    event.preventDefault()
    if (event instanceof KeyboardEvent && event.key === 'Escape') onEscape()
  }

  for (const type of types) addEventListener(type, withhold, true)
  return () => {
    for (const type of types) removeEventListener(type, withhold, true)
  }
}

/** A ConfirmDialog that is loaded on demand. */
export const LazyConfirmDialog = dialogOnDemand(
  async () => (await import('./confirm-dialog.tsx')).ConfirmDialog,
)
