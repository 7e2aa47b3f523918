import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { DOUBLE_PRESS_MS } from './second-presses.ts'
import { useHistoryLayer } from './use-history-layer.ts'

type DialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  size?: keyof typeof sizes
  /** A click outside does not close the dialog, because it holds input. */
  sticky?: boolean
  /** Called by the browser's Back: closes the dialog, or asks first. Returns whether it closed. */
  onBack?: () => boolean
  /** Called before Escape closes the dialog; may prevent that to close something inside first. */
  onEscape?: (event: KeyboardEvent) => void
  children: ReactNode
}

const sizes = {
  md: 'max-sm:max-h-[calc(100dvh-5.5rem)] sm:max-w-lg',
  lg: 'max-sm:h-dvh max-sm:rounded-none sm:max-w-3xl',
}

/** Excludes hidden file inputs, which cannot take the focus; their button can. */
const FIELD = 'input:not([type="hidden"], [hidden], [disabled]), textarea, select'

/** Focuses the first field; on touch devices, where that opens the on-screen keyboard, only to write. */
export function focusFirstField(event: Event, isToWrite = false) {
  const content = event.currentTarget as HTMLElement
  const field = content.querySelector<HTMLElement>(FIELD)
  event.preventDefault()
  if (field && (isToWrite || matchMedia('(pointer: fine)').matches)) field.focus()
  else content.focus()
}

/**
 * Whether a press outside of a dialog does not close it: the second of the double press that opened it, or one on a toast. Radix
 * calls this after the click, which may have removed the toast.
 */
export function closesNothing({ target, timeStamp }: Event) {
  if (timeStamp - lastOpenedAt < DOUBLE_PRESS_MS) return true
  return target instanceof Element && (!target.isConnected || target.closest('[data-toasts]') !== null)
}

/** A modal dialog: in the upper middle of wide screens, a bottom sheet on a phone. Its content scrolls. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  size = 'md',
  sticky,
  onBack,
  onEscape,
  children,
}: DialogProps) {
  const { remember, restore } = useFocusReturn()
  useHistoryLayer(open, onBack ?? closeByBack)

  function closeByBack() {
    onOpenChange(false)
    return true
  }

  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={overlayClass}>
          <Radix.Content
            {...(description ? {} : { 'aria-describedby': undefined })}
            onOpenAutoFocus={(event) => {
              remember()
              focusFirstField(event)
            }}
            onCloseAutoFocus={restore}
            {...(onEscape && { onEscapeKeyDown: onEscape })}
            {...(size === 'lg' ? { 'data-covers-page': '' } : { 'data-sheet': '' })}
            onInteractOutside={(event) => (sticky || closesNothing(event)) && event.preventDefault()}
            className={clsx(
              'relative flex w-full flex-col overflow-y-auto overscroll-contain bg-raised shadow-lg outline-none',
              'rounded-t-xl max-sm:animate-sheet sm:max-h-full sm:animate-rise sm:rounded-xl',
              sizes[size],
            )}
          >
            <header className="sticky top-0 z-10 bg-raised px-5 pt-5 pr-14 pb-3 sm:px-6">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {description && (
                <Radix.Description className="mt-1 text-sm text-muted">{description}</Radix.Description>
              )}
              <Radix.Close
                aria-label="Close"
                className="absolute top-3.5 right-3.5 grid size-10 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
              >
                <X className="size-5" aria-hidden="true" />
              </Radix.Close>
            </header>
            {children}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The dialog's content, between its title and its buttons. */
export function DialogBody({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div className={clsx('flex flex-1 flex-col gap-5 px-5 pt-1 pb-5 sm:px-6', className)}>{children}</div>
  )
}

/** The dialog's buttons, sticky at its lower edge. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <footer className="sticky bottom-0 flex flex-wrap justify-end gap-2.5 border-t border-line bg-raised px-5 py-3.5 sm:px-6">
      {children}
    </footer>
  )
}

/** The element that opened the last dialog, until that closes, and when it opened. */
let lastOpener: Element | null = null
let lastOpenedAt = Number.NEGATIVE_INFINITY

/** Returns the focus to the element that opened a dialog, unless that was removed or contains the focus already. */
export function useFocusReturn() {
  const opener = useRef<Element | null>(null)

  /** A dialog that replaces another has the same opener: the focus was lost with the other dialog. */
  function remember() {
    const { activeElement, body } = document
    opener.current = activeElement === body ? lastOpener : activeElement
    lastOpener = opener.current
    lastOpenedAt = performance.now()
  }

  function restore(event: Event) {
    event.preventDefault()
    lastOpener = null
    const { current } = opener
    if (current?.contains(document.activeElement)) return
    if (current instanceof HTMLElement && current.isConnected) current.focus({ preventScroll: true })
  }

  return { remember, restore }
}

/** The class of a dialog's overlay, which also positions the dialog: by its upper edge, so that it only grows downwards. */
export const overlayClass =
  'fixed inset-0 z-40 flex animate-fade items-end justify-center overflow-hidden bg-scrim sm:items-start sm:px-6 sm:pt-[max(1.5rem,9dvh)] sm:pb-6'
