import type { ReactNode } from 'react'

/** Shown unless somebody is signed in. Everybody gets both variants of a page; the mark of the session chooses. */
export const ForVisitors = ({ children }: { children: ReactNode }) => (
  <span className="contents in-data-session:hidden">{children}</span>
)

/** Shown to somebody who is signed in. */
export const ForMembers = ({ children }: { children: ReactNode }) => (
  <span className="hidden in-data-session:contents">{children}</span>
)
