import { Plus } from 'lucide-react'
import { useDeferredValue, useRef, useState } from 'react'
import { SEARCH_MAX } from '#contract/lists.ts'
import type { Project } from '#contract/projects.ts'
import { formNames } from '#web/forms/form-names.ts'
import { useDialogs } from '#web/forms/use-dialogs.ts'
import { useFilters } from '#web/forms/use-filters.ts'
import { useReopenedForm } from '#web/forms/use-reopened-form.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { useSession } from '#web/identity/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { Page, PageHeader } from '#web/ui/page.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { useKeepFocus } from '#web/ui/use-keep-focus.ts'
import { CreateProjectDialog, DeleteProject, EditProjectDialog, ShareDialog } from './dialogs.ts'
import { ProjectCard } from './project-card.tsx'
import { readFilters, writeFilters } from './project-filters.ts'
import { ProjectList } from './project-list.tsx'
import { useMyProjects } from './queries.ts'

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

  useReopenedForm((isTheOne) => {
    const project = query.data?.find((one) => isTheOne(formNames.project(one)))
    const subject = isTheOne(formNames.newProject()) ? null : project
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
      {shared && <ShareDialog project={shared} mayPublish onClose={() => setSharedId(null)} />}
      {toDelete && <DeleteProject project={toDelete} onClose={() => setToDelete(null)} />}
    </Page>
  )
}
