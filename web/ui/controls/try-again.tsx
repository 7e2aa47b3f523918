import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'

/** The container of the last clicked button, which has the focus while the button is absent. */
let pressedIn: Element | null | undefined

/**
 * A button that fetches what could not be fetched, or more of it, and goes while it is fetched or once it is there. When it comes
 * back because fetching has failed again, it has the focus again, unless that has moved on.
 */
export function TryAgain({ children = 'Try again', onClick, ...rest }: ComponentProps<typeof Button>) {
  const button = useRef<HTMLButtonElement>(null)
  const place = () => button.current?.parentElement?.closest('[tabindex]')

  useLayoutEffect(() => {
    const { activeElement, body } = document
    const waits = activeElement !== body && activeElement?.contains(button.current)
    if (waits && pressedIn === place()) button.current?.focus()
    pressedIn = null
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when it appears
  }, [])

  return (
    <Button
      {...rest}
      ref={button}
      onClick={(event) => {
        pressedIn = place()
        onClick?.(event)
      }}
    >
      {children}
    </Button>
  )
}
