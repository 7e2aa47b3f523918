import { type ReactNode, useEffect, useRef } from 'react'

type StageHeadingProps = {
  /** The current stage, where the heading stays mounted through all stages. */
  stage?: string
  /** Whether the heading was mounted together with its stage. */
  arrived?: true
  children: ReactNode
}

/** The heading of a screen with several stages. It takes the focus at each new stage, because the button that led there is gone. */
export function StageHeading({ stage, arrived, children }: StageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(stage)
  useEffect(() => {
    if (arrived || shown.current !== stage) heading.current?.focus()
    shown.current = stage
  }, [arrived, stage])
  return (
    <h1 ref={heading} tabIndex={-1} className="text-2xl font-semibold tracking-tight outline-none">
      {children}
    </h1>
  )
}
