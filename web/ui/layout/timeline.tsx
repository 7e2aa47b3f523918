import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/** The marker of an item: filled with a tick when `done`. */
export function Marker({ done, current }: { done: boolean; current: boolean }) {
  return (
    <svg viewBox="0 0 28 28" fill="none" className="size-7" aria-hidden="true">
      {current && <circle cx="14" cy="14" r="12.5" className="fill-accent-soft" />}
      <circle
        cx="14"
        cy="14"
        r="8"
        strokeWidth="2.5"
        className={clsx(
          'transition-colors duration-(--duration-arrival)',
          current ? 'stroke-accent' : done ? 'stroke-ink' : 'stroke-edge',
          done ? (current ? 'fill-accent' : 'fill-ink') : 'fill-surface',
        )}
      />
      {current && !done && <circle cx="14" cy="14" r="3.5" className="fill-accent" />}
      <path
        d="m10.4 14.3 2.5 2.5 4.8-5.3"
        pathLength="1"
        className={clsx(
          '[stroke-dasharray:1_2] transition-[stroke-dashoffset] duration-(--duration-arrival)',
          current ? 'stroke-accent-ink' : 'stroke-surface',
          done ? '[stroke-dashoffset:0]' : 'opacity-0 [stroke-dashoffset:1]',
        )}
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

/** A timeline with a marker for each milestone. */
export function Timeline({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ol aria-label={label} className="flex flex-col">
      {children}
    </ol>
  )
}

type TimelineItemProps = {
  done: boolean
  current?: boolean
  /** A control of the same size that replaces the marker. */
  control?: ReactNode
  children: ReactNode
}

/** A marker and its content. The line to the next marker is solid when `done`, else dashed; a change is animated. */
export function TimelineItem({ done, current = false, control, children }: TimelineItemProps) {
  return (
    <li className="group/item relative break-inside-avoid pb-3 pl-10 last:pb-0">
      <span className={clsx(lineClass, 'border-dashed border-edge')} aria-hidden="true" />
      <span
        className={clsx(
          lineClass,
          'origin-top border-ink transition-[scale] duration-(--duration-arrival)',
          done ? 'scale-y-100' : 'scale-y-0',
        )}
        aria-hidden="true"
      />
      <span className="absolute top-3.5 left-0 z-10 flex">
        {control || <Marker done={done} current={current} />}
      </span>
      {children}
    </li>
  )
}

/** From the lower edge of one marker to the upper edge of the next. */
const lineClass =
  'timeline-line absolute top-9 -bottom-5.5 left-[0.8125rem] border-l-2 group-last/item:hidden'
