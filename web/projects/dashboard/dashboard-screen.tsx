import { Plus } from 'lucide-react'
import { useDeferredValue, useRef, useState } from 'react'
import { SEARCH_MAX } from '#contract/lists.ts'
import type { Project } from '#contract/projects.ts'
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
import { useKeepFocus } from '#web/ui/layout/accessibility.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { ProjectCard, ProjectList } from './project-list.tsx'

const codec = { read: readFilters, write: writeFilters }

/** The projects that I own. */
export default function DashboardScreen() {
  const { user } = useSession()
  const query = useMyProjects()
  const { typed, type, change } = useFilters(codec)
  const shownTerm = useDeferredValue(typed)
  const forms = useDialogs<Project | null>()
  const [sharedId, setSharedId] = useState<string | null>(null)
  const [toDelete, setToDelete] = useState<Project | null>(null)
  const list = useRef<HTMLElement>(null)
  useKeepFocus(list, query.data?.length ?? 0)
  const shared = query.data?.find(({ _id }) => _id === sharedId)

  useReopenedForm((wasInterrupted) => {
    const project = query.data?.find((one) => wasInterrupted(formNames.project(one)))
    const subject = wasInterrupted(formNames.newProject()) ? null : project
    if (subject !== undefined) forms.open(subject)
    return subject !== undefined
  })

  return (
    <Page>
      <ScreenTitle>Dashboard</ScreenTitle>
      <PageHeader
        title={
          <>
            Welcome, <bdi>{user?.name || 'User'}</bdi>
          </>
        }
        lede="Manage your projects and track your progress"
        actions={
          <Button
            variant="primary"
            icon={<Plus />}
            {...CreateProjectDialog.near}
            onClick={() => forms.open(null)}
          >
            New Project
          </Button>
        }
      />
      <div className="mb-6 flex min-h-10 flex-wrap items-center gap-4" data-print="hidden">
        <SearchInput
          label="Search projects"
          placeholder="Search projects..."
          value={typed}
          onChange={type}
          maxLength={SEARCH_MAX}
          className="w-full sm:w-80"
        />
        {query.isPending && <Spinner label="Loading projects" />}
      </div>
      <section ref={list} tabIndex={-1} aria-label="Projects" className="outline-none">
        <ProjectList
          query={query}
          term={shownTerm}
          onClearTerm={() => change({ search: '' }, true)}
          onCreate={() => forms.open(null)}
          renderCard={(project) => (
            <ProjectCard
              project={project}
              onShare={() => setSharedId(project._id)}
              onEdit={() => forms.open(project)}
              onDelete={() => setToDelete(project)}
            />
          )}
        />
      </section>
      {forms.dialogs.map(({ key, subject }) =>
        subject ? (
          <EditProjectDialog key={key} project={subject} onClose={() => forms.close(key)} />
        ) : (
          <CreateProjectDialog key={key} onClose={() => forms.close(key)} />
        ),
      )}
      {shared && <ShareDialog project={shared} canPublish onClose={() => setSharedId(null)} />}
      {toDelete && <DeleteProject project={toDelete} onClose={() => setToDelete(null)} />}
    </Page>
  )
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
