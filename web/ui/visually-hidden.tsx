import type { ReactNode } from 'react'

/** Words for a screen reader where sighted people see a shape. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="sr-only">{children}</span>
}
