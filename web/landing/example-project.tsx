import { clsx } from 'clsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { Timeline, TimelineItem } from '#web/ui/timeline.tsx'

const milestones = [
  { title: 'A starter that lives', done: true, entries: '6 entries' },
  { title: 'A loaf that rises', done: true, entries: '9 entries' },
  {
    title: 'An open crumb',
    done: false,
    current: true,
    entries: '5 entries',
    note: 'Loaf fourteen. Wetter dough, a colder night, and there they are: the big holes.',
  },
  { title: 'Bread for the whole street', done: false, entries: 'Still ahead' },
]

/** A sheet of somebody's notebook: what a project looks like when it is under way. */
export function ExampleProject() {
  return (
    <figure className="rounded-xl border border-line bg-raised p-6 shadow-lg sm:p-8">
      <figcaption className="text-sm text-muted">An example project</figcaption>
      <p className="mt-1 font-reading text-2xl font-medium">Learning to bake bread</p>
      <ProgressBar value={50} label="Progress of the example" className="mt-4 mb-6" />
      <Timeline label="Milestones of the example">
        {milestones.map(({ title, done, current, entries, note }) => (
          <TimelineItem key={title} done={done} current={current}>
            <div className={clsx('py-3', done || current ? 'text-ink' : 'text-muted')}>
              <p className="flex flex-wrap items-baseline justify-between gap-x-4">
                <span className="font-semibold">{title}</span>
                <span className="text-sm text-muted">{entries}</span>
              </p>
              {note && <p className="mt-1.5 font-reading text-muted italic">{note}</p>}
            </div>
          </TimelineItem>
        ))}
      </Timeline>
    </figure>
  )
}
