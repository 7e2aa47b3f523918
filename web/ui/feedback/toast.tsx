import { clsx } from 'clsx'
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import {
  type FocusEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useFirstPress } from '#web/ui/controls/use-first-press.ts'
import { Listeners } from '#web/ui/listeners.ts'

/** A button in a toast; pressing it also dismisses the toast. */
export type ToastAction = { label: string; run: () => void }

export type ToastMore = { action?: ToastAction; details?: ReactNode }

type Toast = {
  id: number
  tone: 'success' | 'danger' | 'info'
  text: string
  action?: ToastAction | undefined
  /** A second action, and what is shown below the text. */
  more?: ToastMore | undefined
  /** Whether it is shown until it is dismissed. */
  isLasting?: boolean
}

const MAX_SHOWN = 3
const NONE: readonly Toast[] = []

let toasts = NONE
let lastId = 0
const listeners = new Listeners()

function replace(next: readonly Toast[]) {
  toasts = next
  listeners.call()
}

type Added = { action?: ToastAction | undefined; more?: ToastMore | undefined; isLasting?: boolean }

function add(tone: Toast['tone'], text: string, { action, more, isLasting = false }: Added = {}) {
  lastId += 1
  // Toasts with an action are not deduplicated by text: each action undoes something else.
  const older = action ? toasts : toasts.filter((toast) => toast.text !== text)
  replace([...older, { id: lastId, tone, text, action, more, isLasting }].slice(-MAX_SHOWN))
  return lastId
}

/** Shows a short message for a few seconds. */
export const toast = {
  success: (text: string, action?: ToastAction, more?: ToastMore): void => {
    add('success', text, { action, more })
  },
  error: (text: string, action?: ToastAction): void => {
    add('danger', text, { action })
  },
  /** Shows an error until its time is over, or the returned function is called. */
  passingError: (text: string): (() => void) => {
    const id = add('danger', text)
    return () => dismiss(id)
  },
  info: (text: string, action?: ToastAction): void => {
    add('info', text, { action })
  },
  /** Shows a message until the returned function is called. */
  lasting: (text: string): (() => void) => {
    const id = add('info', text, { isLasting: true })
    return () => dismiss(id)
  },
}

/** Dismisses the toasts with an action, which only the person to whom they were shown can take. */
export const dismissActions = () => replace(toasts.filter(({ action }) => action === undefined))

function dismiss(id: number) {
  replace(toasts.filter((toast) => toast.id !== id))
}

/** The toasts as an external store for React; always empty on the server. */
const toastStore = {
  subscribe: listeners.add,
  read: () => toasts,
  readOnServer: () => NONE,
}

const icons = { success: CircleCheck, danger: CircleAlert, info: Info }
const LIFETIME_MS = { success: 4000, info: 8000, danger: 8000 }
/** Long enough to move to the action by keyboard. */
const ACTION_LIFETIME_MS = 12_000

type ToastItemProps = { toast: Toast; paused: boolean; onDismiss: () => void }

function ToastItem({ toast, paused, onDismiss }: ToastItemProps) {
  const { id, tone, text, action, more, isLasting } = toast
  const actions = [action, more?.action].filter((one) => one !== undefined)
  const Icon = icons[tone]
  const lifetime = action ? ACTION_LIFETIME_MS : LIFETIME_MS[tone]

  const act = useFirstPress((run: () => void) => {
    onDismiss()
    run()
  })

  useEffect(() => {
    if (paused || isLasting) return undefined
    const timer = setTimeout(() => dismiss(id), lifetime)
    return () => clearTimeout(timer)
  }, [paused, isLasting, id, lifetime])

  return (
    <li
      className={clsx(
        'pointer-events-auto flex animate-rise gap-3 rounded-lg border border-line bg-raised py-2 pr-2 pl-3.5 text-sm shadow-lg',
        more?.details === undefined ? 'items-center' : 'items-start',
      )}
    >
      <Icon
        className={clsx(
          'size-4 shrink-0',
          more?.details !== undefined && 'mt-1.5',
          tone === 'danger' ? 'text-danger' : 'text-success',
        )}
        aria-hidden="true"
      />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
        <span className="min-w-0 flex-1 basis-48 py-1 font-medium">{text}</span>
        {more?.details && <div className="basis-full py-1">{more.details}</div>}
        {actions.map(({ label, run }) => (
          <button
            key={label}
            type="button"
            className="-ml-2 shrink-0 rounded-sm px-2 py-1 font-semibold text-accent hover:text-accent-strong pointer-coarse:min-h-10"
            onClick={() => act(run)}
          >
            {label}
          </button>
        ))}
      </div>
      <button
        type="button"
        aria-label="Dismiss"
        className="grid size-7 place-items-center rounded-sm text-muted hover:bg-hover hover:text-ink pointer-coarse:size-10"
        onClick={onDismiss}
      >
        <X className="size-4" aria-hidden="true" />
      </button>
    </li>
  )
}

/**
 * The list of toasts: bottom right; above the buttons of an open dialog, or on a phone at the top if the dialog is a sheet. Timers
 * pause under the pointer and the focus.
 */
export function Toaster() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read, toastStore.readOnServer)
  const [paused, setPaused] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useVisiblePart(box, toasts.length > 0)
  /** The element that had the focus before the list. */
  const origin = useRef<EventTarget | null>(null)

  function rememberOrigin({ currentTarget, relatedTarget }: FocusEvent) {
    setPaused(true)
    if (!currentTarget.contains(relatedTarget)) origin.current = relatedTarget
  }

  /** Dismisses a toast and returns the focus, which is lost with the pressed button. */
  function dismissByHand(id: number) {
    dismiss(id)
    setPaused(false)
    setTimeout(() => {
      if (document.activeElement !== document.body) return
      const { current } = origin
      const target = current instanceof HTMLElement && current.isConnected ? current : null
      ;(target ?? document.querySelector('main'))?.focus({ preventScroll: true })
    })
  }

  return (
    <div
      ref={box}
      data-toasts
      data-print="hidden"
      role="presentation"
      className="toasts pointer-events-none fixed right-0 z-50 w-full sm:max-w-sm"
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={rememberOrigin}
      onBlur={() => setPaused(false)}
    >
      {/* Without a size while it is empty: the first toast would count as a shift of the layout. */}
      <ol aria-live="polite" aria-label="Messages" className="flex flex-col gap-2 not-empty:p-4">
        {toasts.map((toast) => (
          <ToastItem key={toast.id} toast={toast} paused={paused} onDismiss={() => dismissByHand(toast.id)} />
        ))}
      </ol>
    </div>
  )
}

/** Keeps the list within what is visible above an on-screen keyboard, where the browser does not resize the page for it (Safari). */
function useVisiblePart(box: { current: HTMLElement | null }, isShown: boolean) {
  useLayoutEffect(() => {
    const { visualViewport } = window
    if (!visualViewport || !isShown) return undefined
    function fit() {
      const { height, offsetTop, scale } = visualViewport as VisualViewport
      const isKeyboard = scale === 1 && window.innerHeight - height > KEYBOARD_MIN_PX
      const below = isKeyboard ? window.innerHeight - height - offsetTop : 0
      box.current?.style.setProperty('--hidden-below', `${below}px`)
      box.current?.style.setProperty('--hidden-above', `${isKeyboard ? offsetTop : 0}px`)
    }
    fit()
    visualViewport.addEventListener('resize', fit)
    visualViewport.addEventListener('scroll', fit)
    return () => {
      visualViewport.removeEventListener('resize', fit)
      visualViewport.removeEventListener('scroll', fit)
    }
  }, [box, isShown])
}

/** Less is a bar of the browser. */
const KEYBOARD_MIN_PX = 60
