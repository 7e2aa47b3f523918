import { clsx } from 'clsx'
import type { ReactNode } from 'react'

type StopProps = { side: 'left' | 'right'; picture: ReactNode; children: ReactNode }

/** One stop of the trail: words on `side`, a picture across the path; on narrow screens both beside the path. */
export function Stop({ side, picture, children }: StopProps) {
  const left = side === 'left'
  return (
    <li className="relative grid grid-cols-1 gap-y-8 pb-16 max-lg:pl-12 lg:grid-cols-[1fr_9rem_1fr] lg:pb-24">
      <Path bend={left ? 'left' : 'right'} />
      <div
        className={clsx(
          'flex flex-col gap-7 lg:row-start-1',
          left ? 'lg:col-start-1 lg:items-end' : 'lg:col-start-3',
        )}
      >
        {children}
      </div>
      <div
        aria-hidden="true"
        className={clsx(
          'lg:row-start-1 lg:-mt-3',
          left ? 'lg:col-start-3' : 'lg:col-start-1 lg:justify-self-end',
        )}
      >
        {picture}
      </div>
    </li>
  )
}

/** A ring on the trail; `reached`, a full one. For a relatively placed parent, at its left edge or, on wide screens, its middle. */
export function StopMarker({ reached = false }: { reached?: boolean }) {
  return (
    <span
      className={clsx(
        'absolute top-1.5 left-3.5 size-4 -translate-x-1/2 rounded-full border-[3px] border-accent ring-4 ring-surface lg:left-1/2',
        reached ? 'bg-accent' : 'bg-surface',
      )}
      aria-hidden="true"
    />
  )
}

/** From this stop's marker to the next one's; stretched to whatever lies between, its line stays as thick as it is. */
function Path({ bend }: { bend: 'left' | 'right' }) {
  return (
    <div className="absolute inset-y-0 left-0 w-7 lg:left-1/2 lg:w-36 lg:-translate-x-1/2" aria-hidden="true">
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        fill="none"
        className={clsx('absolute top-3.5 h-full w-full', bend === 'right' && '-scale-x-100')}
      >
        <path
          d="M50 0C50 22 8 26 8 52S50 78 50 100"
          vectorEffect="non-scaling-stroke"
          strokeWidth="2.5"
          strokeLinecap="round"
          className="stroke-edge [stroke-dasharray:1_7]"
        />
      </svg>
      <StopMarker />
    </div>
  )
}
