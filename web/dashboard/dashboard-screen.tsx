import { Plus } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { SEARCH_MAX } from '#contract/parts/list-options.ts'
import type { Project } from '#contract/projects.ts'
import { OnThisDay } from '#web/calendar/on-this-day.tsx'
import { useOnThisDay } from '#web/calendar/queries.ts'
import { MyDrafts } from '#web/drafts/my-drafts.tsx'
import { useMyDrafts } from '#web/drafts/queries.ts'
import { useFilters, withFilters, within } from '#web/forms/filters.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useDialogs, useReopenedForm } from '#web/forms/use-dialogs.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { useSession } from '#web/identity/session.tsx'
import { CreateProjectDialog, DeleteProject, EditProjectDialog, ShareDialog } from '#web/projects/dialogs.ts'
import { useMyProjects } from '#web/projects/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { SearchInput } from '#web/ui/controls/search-input.tsx'
import { Spinner } from '#web/ui/feedback/loading.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { useNow } from '#web/ui/layout/time.tsx'
import { useRoomAbove } from '#web/ui/layout/use-room-above.ts'
import { ProjectCard } from './project-card.tsx'
import { ProjectList } from './project-list.tsx'
import { SharedProjects } from './shared-projects.tsx'
import { WriteLine } from './write-line.tsx'

const codec = { read: readFilters, write: writeFilters }

/** The user's projects. */
export default function DashboardScreen() {
  const { user } = useSession()
  const query = useMyProjects()
  const { filters, typed, type, change } = useFilters(codec)
  const shownTerm = useDeferredValue(typed)
  const { open, dialogs } = useProjectDialogs(query.data)
  const now = useNow()
  const drafts = useMyDrafts(user?._id)
  const past = useOnThisDay()
  const isHeld = drafts.isAwaited || past.isAwaited
  const isDrawn = !query.isPending && !isHeld
  const room = useRoomAbove(drafts.query.data?.length ?? 0, { isDrawn })
  const pastRoom = useRoomAbove(past.entries.length, { isDrawn })

  return (
    <Page>
      <ScreenTitle>Dashboard</ScreenTitle>
      <PageHeader
        title={<Welcome name={user?.name || 'User'} />}
        lede="Manage your projects and track your progress"
      />
      <WriteLine projects={query.data} onCreateProject={open.creation} />
      <div
        className="relative mb-6 flex min-h-10 flex-wrap items-center gap-2.5 sm:gap-4"
        data-print="hidden"
      >
        <SearchInput
          label="Search projects"
          placeholder="Search projects..."
          value={typed}
          onChange={type}
          maxLength={SEARCH_MAX}
          className="min-w-0 flex-1 basis-40 sm:max-w-80"
        />
        {query.isPending && (
          <Spinner label="Loading projects" className="max-sm:absolute max-sm:top-full max-sm:mt-0.5" />
        )}
        <Button
          variant={query.data?.length === 0 ? 'secondary' : 'primary'}
          icon={<Plus />}
          className="ms-auto shrink-0 max-[22rem]:w-full"
          {...CreateProjectDialog.preloadProps}
          onClick={open.creation}
        >
          New Project
        </Button>
      </div>
      {typed === '' && isDrawn && room > 0 && <MyDrafts query={drafts.query} atMost={room} />}
      {typed === '' && isDrawn && pastRoom > 0 && (
        <OnThisDay entries={past.entries.slice(0, pastRoom)} today={past.today} />
      )}
      {/* A new element once the list is drawn: what is above it has its place from then on, and the skeleton is gone. */}
      <section key={String(isDrawn)} tabIndex={-1} aria-label="Projects" className="outline-none">
        <ProjectList
          query={query}
          isHeld={isHeld}
          term={shownTerm}
          onClearTerm={() => change({ search: '' }, true)}
          onCreate={open.creation}
          renderCard={(project, heading) => (
            <ProjectCard
              project={project}
              heading={heading}
              now={now}
              onShare={() => open.sharing(project)}
              onEdit={() => open.editing(project)}
              onDelete={() => open.deletion(project)}
            />
          )}
        >
          <SharedProjects search={filters.search} now={now} />
        </ProjectList>
      </section>
      {typed === '' && room === 0 && !drafts.isAwaited && <MyDrafts query={drafts.query} />}
      {dialogs}
    </Page>
  )
}

const Welcome = ({ name }: { name: string }) => (
  <>
    Welcome, <bdi>{name}</bdi>
  </>
)

/** The dialogs of the projects, and the functions that open them. The form that the end of the session had closed opens again. */
function useProjectDialogs(projects: Project[] | undefined) {
  const forms = useDialogs<Project | null>()
  const [sharedId, setSharedId] = useState<string | null>(null)
  const [toDelete, setToDelete] = useState<Project | null>(null)
  const shared = projects?.find(({ _id }) => _id === sharedId)

  useReopenedForm((wasInterrupted) => {
    const project = projects?.find((one) => wasInterrupted(formNames.project(one)))
    const subject = wasInterrupted(formNames.newProject()) ? null : project
    if (subject !== undefined) forms.open(subject)
    return subject !== undefined
  })

  const open = {
    creation: () => forms.open(null),
    editing: (project: Project) => forms.open(project),
    sharing: ({ _id }: Project) => setSharedId(_id),
    deletion: (project: Project) => setToDelete(project),
  }
  const dialogs = (
    <>
      {forms.dialogs.map(({ key, subject }) =>
        subject ? (
          <EditProjectDialog key={key} project={subject} onClose={() => forms.close(key)} />
        ) : (
          <CreateProjectDialog key={key} onClose={() => forms.close(key)} />
        ),
      )}
      {shared && <ShareDialog project={shared} canPublish onClose={() => setSharedId(null)} />}
      {toDelete && <DeleteProject project={toDelete} onClose={() => setToDelete(null)} />}
    </>
  )
  return { open, dialogs }
}

type ProjectFilters = { search: string }

const initial: ProjectFilters = { search: '' }

const names = { search: 'q' } as const

function readFilters(params: URLSearchParams): ProjectFilters {
  return { search: within(SEARCH_MAX, params.get(names.search)) ?? initial.search }
}

function writeFilters(params: URLSearchParams, change: Partial<ProjectFilters>): URLSearchParams {
  return withFilters(params, names, { ...readFilters(params), ...change }, initial)
}
