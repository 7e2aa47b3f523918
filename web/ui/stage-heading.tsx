import { type ReactNode, useEffect, useRef } from 'react'

type StageHeadingProps = {
  /** Changes with each stage, where the heading stays in the page for all of them. */
  stage?: string
  /** The heading came with its stage, in place of another. */
  arrived?: true
  children: ReactNode
}

/** The heading of a screen in stages. It takes the focus with each further one: the button that led there is gone. */
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
