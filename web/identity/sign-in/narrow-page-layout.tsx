import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Timeline, TimelineItem } from '#web/ui/layout/timeline.tsx'

type NarrowPageLayoutProps = {
  /** Whether the column keeps its position when content appears or disappears below its buttons. */
  isSteady?: boolean
  /** Whether there is no example beside the column. */
  isAlone?: boolean
  children: ReactNode
}

/**
 * The layout of a small page: a narrow column, and beside it on wide screens an example of a project. Because the column is
 * centered there, the browser paints nothing before it has the whole page; otherwise the content would move.
 */
export function NarrowPageLayout({ isSteady = false, isAlone = false, children }: NarrowPageLayoutProps) {
  return (
    <div
      className={clsx(
        'mx-auto grid max-w-wide grid-cols-1 gap-16 overflow-x-clip px-4 py-8 max-sm:py-6 sm:px-6 lg:min-h-[calc(100dvh-var(--spacing-nav))] lg:items-center',
        !isAlone && 'lg:grid-cols-2',
      )}
    >
      <link rel="expect" href="#page-end" blocking="render" />
      <div
        className={clsx(
          'mx-auto w-full min-w-0 max-w-narrow',
          isSteady && (isAlone ? 'lg:self-start lg:pt-8' : 'lg:self-start lg:pt-[17dvh]'),
        )}
      >
        {children}
      </div>
      {!isAlone && <ExampleTimeline />}
      <div id="page-end" hidden />
    </div>
  )
}

const stops = [
  { title: 'Lumber', note: 'Twelve boards of straight red cedar. They smell of summer.', done: true },
  { title: 'Strongback and moulds', note: 'Level to a millimetre, on the third try.', done: true },
  { title: 'Planking the hull', note: 'Strip eleven is on. She begins to look like a boat.', done: false },
]

/** A decorative example of a project, on wide screens only. */
function ExampleTimeline() {
  return (
    <div
      aria-hidden="true"
      className="hidden rounded-xl border border-line bg-sunken px-10 py-12 lg:block xl:px-14 xl:py-16"
    >
      <p className="mb-8 font-reading text-2xl font-medium text-ink">A cedar-strip canoe</p>
      <Timeline label="">
        {stops.map(({ title, note, done }, at) => (
          <TimelineItem key={title} done={done} current={at === stops.length - 1}>
            <div className="rounded-lg border border-line bg-raised px-5 py-4 shadow-sm">
              <p className="text-sm font-semibold">{title}</p>
              <p className="mt-1 font-reading text-muted">{note}</p>
            </div>
          </TimelineItem>
        ))}
      </Timeline>
    </div>
  )
}
