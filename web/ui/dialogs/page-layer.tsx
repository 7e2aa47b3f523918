import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { closesNothing, focusFirstField, useFocusReturn } from './dialog.tsx'
import { useHistoryLayer } from './use-history-layer.ts'

type PageLayerProps = {
  title: string
  /** Closes the layer, or asks first. Returns whether it closed. */
  close: () => boolean
  /** Called before Escape closes the layer; may prevent that to close something inside first. */
  onEscape?: (event: KeyboardEvent) => void
  /** Its first field gets the focus on touch screens too, which opens their keyboard: it was opened to write. */
  isToWrite?: boolean
  children: ReactNode
}

/** A modal dialog that covers the whole page, for work that takes a while. It is open while it is rendered. */
export function PageLayer({ title, close, onEscape, isToWrite = false, children }: PageLayerProps) {
  const { remember, restore } = useFocusReturn()
  const box = useRef<HTMLDivElement>(null)
  useHistoryLayer(true, close)
  useVisibleHeight(box)
  return (
    <Radix.Root open onOpenChange={() => close()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-raised">
          <Radix.Content
            ref={box}
            data-covers-page="layer"
            aria-describedby={undefined}
            onOpenAutoFocus={(event) => {
              remember()
              focusFirstField(event, isToWrite)
            }}
            onCloseAutoFocus={restore}
            {...(onEscape && { onEscapeKeyDown: onEscape })}
            onInteractOutside={(event) => closesNothing(event) && event.preventDefault()}
            className="absolute inset-x-0 top-0 flex h-(--visible-height,100dvh) flex-col outline-none"
          >
            <Radix.Title className="sr-only">{title}</Radix.Title>
            {children}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The button that closes the layer. */
export function CloseLayer() {
  return (
    <Radix.Close
      aria-label="Close"
      className="grid size-[40px] shrink-0 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink pointer-coarse:size-[44px]"
    >
      <X className="size-5" aria-hidden="true" />
    </Radix.Close>
  )
}

/**
 * Limits the layer to the height above an on-screen keyboard. Browsers that resize the page for the keyboard, as the page
 * requests, need none of this; Safari only scrolls the page, and reports the visible height.
 */
function useVisibleHeight(box: { current: HTMLElement | null }) {
  useLayoutEffect(() => {
    const { visualViewport } = window
    if (!visualViewport) return undefined
    function fit() {
      const { height, offsetTop, scale } = visualViewport as VisualViewport
      const isCovered = scale === 1 && window.innerHeight - height > 60
      if (isCovered) box.current?.style.setProperty('--visible-height', `${height}px`)
      else box.current?.style.removeProperty('--visible-height')
      box.current?.style.setProperty('translate', isCovered ? `0 ${offsetTop}px` : '0')
    }
    fit()
    visualViewport.addEventListener('resize', fit)
    visualViewport.addEventListener('scroll', fit)
    return () => {
      visualViewport.removeEventListener('resize', fit)
      visualViewport.removeEventListener('scroll', fit)
    }
  }, [box])
}
