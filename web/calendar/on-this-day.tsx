import { X } from 'lucide-react'
import type { DatedEntry } from '#contract/calendar.ts'
import { entryPath } from '#web/entries/paths.ts'
import { IconButton } from '#web/ui/controls/button.tsx'
import { Link } from '#web/ui/controls/link.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { Cover } from '#web/ui/layout/cover.tsx'
import { Dot } from '#web/ui/layout/dot.tsx'
import { useRemembering } from './mutations.ts'
import { yearsBefore } from './names.ts'

type OnThisDayProps = { entries: readonly DatedEntry[]; today: string }

/** Entries of earlier years on this day. */
export function OnThisDay({ entries, today }: OnThisDayProps) {
  const choose = useRemembering()

  async function hide({ _id: projectId, title }: DatedEntry['project']) {
    if (!(await choose(projectId, false))) return
    toast.success(`You are not reminded of ${title} any more`, {
      label: 'Undo',
      run: () => void choose(projectId, true),
    })
  }

  return (
    <section aria-label="On this day" className="mb-10" data-print="hidden">
      <h2 className="border-b border-line pb-1 text-sm/8 font-semibold text-muted">On this day</h2>
      <ul className="divide-y divide-line border-b border-line">
        {entries.map(({ _id, title, happenedOn, image, milestone, project }) => (
          <li key={_id} className="group relative flex items-center gap-4 py-2.5">
            {image && <Cover image={image} className="size-12 shrink-0 rounded-md" />}
            <div className="min-w-0 flex-1">
              <p dir="auto" className="truncate font-reading font-medium">
                <Link
                  to={entryPath(project._id, { _id, milestone: milestone._id })}
                  className="rounded-sm group-hover:text-accent after:absolute after:inset-0"
                >
                  {title}
                </Link>
              </p>
              <p className="truncate text-sm text-muted">
                <time dateTime={happenedOn}>{yearsBefore(happenedOn, today)}</time>
                <Dot />
                <bdi>{project.title}</bdi>
              </p>
            </div>
            <IconButton
              label={`Do not remind me of ${project.title}`}
              icon={<X />}
              className="z-10 -mr-2"
              onClick={() => void hide(project)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
