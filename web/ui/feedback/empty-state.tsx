import type { ReactNode } from 'react'

function Illustration() {
  return (
    <svg viewBox="0 0 220 92" fill="none" className="h-23 w-55 max-w-full" aria-hidden="true">
      <g className="stroke-line" strokeWidth="1.5">
        <path d="M6 78C40 58 58 84 92 70s42-34 74-26 34 22 50 10" />
        <path d="M18 64c26-16 44 4 72-8s40-32 68-26 32 16 48 8" />
        <path d="M44 44c18-10 30 0 48-6s34-24 56-20 26 10 40 6" />
      </g>
      <path
        d="M30 74C64 74 62 46 96 48s38 18 58 2 16-26 36-32"
        className="stroke-edge [stroke-dasharray:1_7]"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
      <circle cx="30" cy="74" r="6" className="fill-accent" />
      <circle cx="30" cy="74" r="11" className="stroke-accent opacity-30" strokeWidth="2" />
      <circle cx="96" cy="48" r="5" className="fill-surface stroke-edge" strokeWidth="2" />
      <circle cx="190" cy="18" r="5" className="fill-surface stroke-edge" strokeWidth="2" />
    </svg>
  )
}

type EmptyStateProps = {
  title?: string
  /** `h1` where the empty state is the whole screen. */
  heading?: 'h1' | 'h2'
  action?: ReactNode
  children: ReactNode
}

/** An empty state: an illustration, a sentence and an optional action. */
export function EmptyState({ title, heading: Heading = 'h2', action, children }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-4 py-12 text-center">
      <Illustration />
      {title && <Heading className="mt-5 text-lg font-semibold">{title}</Heading>}
      <p className={title ? 'mt-1 max-w-sm text-muted' : 'mt-5 max-w-sm text-muted'}>{children}</p>
      {action && <div className="mt-5">{action}</div>}
    </div>
  )
}
