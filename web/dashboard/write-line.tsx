import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { PenLine } from 'lucide-react'
import type { Project } from '#contract/projects.ts'
import { useSharedProjects } from '#web/collaborators/queries.ts'
import { compose } from '#web/commands/compose.ts'
import { Write } from '#web/composer/dialogs.ts'
import type { MilestoneRef } from '#web/composer/shell/composer-settings.ts'
import { lastMilestone, milestonesOfLastEntries } from '#web/composer/shell/last-milestone.ts'
import { useSession } from '#web/identity/session.tsx'
import { milestonesQuery } from '#web/milestones/queries.ts'
import { Menu } from '#web/ui/dialogs/menu.tsx'
import { menuRowClass } from '#web/ui/dialogs/menu-row.ts'

/** How many other projects are one press away. */
const OTHERS = 6

type WriteLineProps = {
  /** The user's projects; undefined while they are being fetched. */
  projects: readonly Project[] | undefined
  onCreateProject: () => void
}

/** A line to write in: in the milestone of the last entry, and from its menu in other projects. */
export function WriteLine({ projects, onCreateProject }: WriteLineProps) {
  const places = usePlaces(projects ?? [])
  const [place, ...others] = places
  const isEmpty = projects?.length === 0 && !place
  const { data: milestones } = useQuery({
    ...milestonesQuery(place?.projectId ?? ''),
    enabled: place !== undefined,
  })
  const milestone = milestones?.find(({ _id }) => _id === place?.milestoneId)

  function write() {
    if (isEmpty) onCreateProject()
    else compose(place && milestone ? refOf(place) : null)
  }

  return (
    <div
      className="mb-6 flex min-h-14 items-center rounded-lg border border-edge/55 bg-raised pr-1.5 shadow-sm hover:border-edge"
      data-print="hidden"
    >
      <button
        type="button"
        className="flex min-h-14 min-w-0 flex-1 items-center gap-3 rounded-lg px-4 py-2 text-start"
        {...Write.preloadProps}
        onClick={write}
      >
        <PenLine className="size-4.5 shrink-0 text-accent" aria-hidden="true" />
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
          <span className="font-reading text-lg/6 text-muted">What happened?</span>
          <span
            dir="auto"
            className={clsx(
              'min-w-0 flex-1 basis-56 truncate text-sm/4 text-faint text-left sm:text-right',
              // On a phone the place has a line of its own, from the start.
              (!projects || place) && 'min-h-4',
            )}
          >
            {place && (
              <>
                {/* The first title decides the direction, so that the line is cut at its end. */}
                {milestone && `${milestone.title} · `}
                {milestone ? <bdi>{place.title}</bdi> : place.title}
              </>
            )}
          </span>
        </span>
      </button>
      {others.length > 0 && (
        <Menu label="Choose another project">
          {others.slice(0, OTHERS).map((other) => (
            <button
              key={other.projectId}
              type="button"
              className={menuRowClass}
              onClick={() => compose(refOf(other))}
            >
              <span dir="auto" className="max-w-64 truncate">
                {other.title}
              </span>
            </button>
          ))}
        </Menu>
      )}
    </div>
  )
}

type Place = MilestoneRef & { title: string }

const refOf = ({ projectId, milestoneId }: Place): MilestoneRef => ({ projectId, milestoneId })

/** The milestones of the last entries of projects, the most recent first; before them that of the person's own last entry. */
function usePlaces(projects: readonly Project[]): Place[] {
  const { user } = useSession()
  const { collaborations } = useSharedProjects('')
  const shared = collaborations
    .filter(({ role }) => role !== 'viewer')
    .map(({ project }) => ({ ...project, lastEntry: project.state?.lastEntry ?? null }))
  const places = milestonesOfLastEntries([...projects, ...shared]).map(({ project, ...ref }) => ({
    ...ref,
    title: project.title,
  }))
  const last = lastMilestone(user?._id)
  const lastProject = [...projects, ...shared].find(({ _id }) => _id === last?.projectId)
  if (!last || !lastProject) return places
  const rest = places.filter(({ projectId }) => projectId !== last.projectId)
  return [{ ...last, title: lastProject.title }, ...rest]
}
