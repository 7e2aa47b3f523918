import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useLayoutEffect, useRef } from 'react'
import { Button } from './button.tsx'

/** The last clicked button: its label, and its container, which has the focus while the button is absent. */
let pressed: { label: ReactNode; container: Element | null | undefined } | null = null

/**
 * A button that refetches data, or fetches more of it. It also refetches whatever else on the screen has failed, because a lost
 * connection fails several queries, and not all of them have a button. It is absent during the fetch and after success. If it
 * reappears because the fetch failed again, it regains the focus, unless the focus has moved.
 */
export function TryAgain({ children = 'Try again', onClick, ...rest }: ComponentProps<typeof Button>) {
  const client = useQueryClient()
  const button = useRef<HTMLButtonElement>(null)
  const container = () => button.current?.parentElement?.closest('[tabindex]')

  useLayoutEffect(() => {
    const { activeElement, body } = document
    const waits = activeElement !== body && activeElement?.contains(button.current)
    // Another label is of another button: success shows the one that fetches more.
    if (waits && pressed?.label === children && pressed.container === container()) button.current?.focus()
    pressed = null
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only on mount
  }, [])

  return (
    <Button
      {...rest}
      ref={button}
      onClick={(event) => {
        pressed = { label: children, container: container() }
        onClick?.(event)
        // What `onClick` fetches is not fetched twice.
        void client.refetchQueries(
          { type: 'active', predicate: ({ state }) => state.status === 'error' },
          { cancelRefetch: false },
        )
      }}
    >
      {children}
    </Button>
  )
}
