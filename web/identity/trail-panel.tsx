import { Timeline, TimelineItem } from '#web/ui/timeline.tsx'

const stretches = [
  { title: 'Lumber', note: 'Twelve boards of straight red cedar. They smell of summer.', done: true },
  { title: 'Strongback and moulds', note: 'Level to a millimetre, on the third try.', done: true },
  { title: 'Planking the hull', note: 'Strip eleven is on. She begins to look like a boat.', done: false },
]

/** A stretch of somebody's trail, for wide screens: a picture of what is behind the door, and nothing more. */
export function TrailPanel() {
  return (
    <div
      aria-hidden="true"
      className="hidden rounded-xl border border-line bg-sunken px-10 py-12 lg:block xl:px-14 xl:py-16"
    >
      <p className="mb-8 font-reading text-2xl font-medium text-ink">A cedar-strip canoe</p>
      <Timeline label="">
        {stretches.map(({ title, note, done }, at) => (
          <TimelineItem key={title} done={done} current={at === stretches.length - 1}>
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
