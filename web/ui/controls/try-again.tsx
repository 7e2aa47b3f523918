import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'

/** Where the focus went with the last of these buttons: what was around that, and what has the focus since. */
let left: { around: Element | null | undefined; focused: Element | null } | null = null

/**
 * A button that fetches what could not be fetched, or more of it, and goes while it is fetched or once it is there: the focus
 * that it had then goes to the closest element around it that can take it. When the button comes back because fetching has
 * failed again, it has the focus again, unless that has moved on.
 */
export function TryAgain({ children = 'Try again', ...rest }: ComponentProps<typeof Button>) {
  const button = useRef<HTMLButtonElement>(null)

  useLayoutEffect(() => {
    const { current } = button
    const around = current?.parentElement?.closest<HTMLElement>('[tabindex]')
    if (left && left.around === around && left.focused === document.activeElement) current?.focus()
    left = null
    return () => {
      if (document.activeElement !== current) return
      // A dialog, which must not lose the focus, has taken it by then.
      setTimeout(() => {
        if (document.activeElement === document.body) {
          const target = around?.isConnected ? around : document.querySelector('main')
          target?.focus({ preventScroll: true })
        }
        left = { around, focused: document.activeElement }
      })
    }
  }, [])

  return (
    <Button {...rest} ref={button}>
      {children}
    </Button>
  )
}
