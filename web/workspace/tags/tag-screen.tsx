import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { Composer } from '#web/composer/dialogs.ts'
import { useEntryFilters } from '#web/entries/list/entry-filters.ts'
import { EntryPages } from '#web/entries/list/entry-pages.tsx'
import { entryPath, isTagInPath, tagPath, tagsPath } from '#web/entries/paths.ts'
import { useEntryPage } from '#web/entries/queries.ts'
import { ScreenTitle } from '#web/head/screen-title.tsx'
import { useMilestones } from '#web/milestones/queries.ts'
import { ProjectGone } from '#web/projects/project-gone.tsx'
import { isNotFound, usePermissions, useProject } from '#web/projects/queries.ts'
import { Button, LinkButton } from '#web/ui/controls/button.tsx'
import { historyLayers } from '#web/ui/dialogs/history-layers.ts'
import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Breadcrumb } from '#web/ui/layout/breadcrumb.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'

const RenameTagDialog = dialogOnDemand(async () => (await import('./rename-tag-dialog.tsx')).RenameTagDialog)

/** The entries of a project that have a tag, in all its milestones. */
export default function TagScreen() {
  const { projectId = '', tag = '' } = useParams()
  return <Tagged key={`${projectId} ${tag}`} projectId={projectId} tag={tag} />
}

function Tagged({ projectId, tag }: { projectId: string; tag: string }) {
  const navigate = useNavigate()
  const project = useProject(projectId)
  const { permissions } = usePermissions(projectId)
  const { canEdit } = permissions
  const { milestones } = useMilestones(projectId)
  const { filters, change, ...typing } = useEntryFilters()
  const [isRenaming, setRenaming] = useState(false)
  if (isRenaming && !canEdit) setRenaming(false)
  const editing = useEditing()
  const query = useEntryPage({ projectId }, { ...filters, tag })
  const title = project.data?.title ?? 'Project'
  if (project.isAbsent || isNotFound(query.error)) return <ProjectGone />

  const isUnused = query.data?.pagination.totalItems === 0 && filters.search === ''
  const filtering = {
    ...typing,
    filters: { ...filters, tag },
    // The tag is the page, so another one is another page.
    change: ({ tag: other, ...rest }: Parameters<typeof change>[0]) =>
      other === undefined || other === null ? change(rest) : void navigate(tagPath(projectId, other)),
  }
  return (
    <Page>
      <ScreenTitle>{`${tag} – ${title}`}</ScreenTitle>
      <PageHeader
        written
        title={<bdi>{tag}</bdi>}
        actions={
          canEdit &&
          !isUnused &&
          isTagInPath(tag) && (
            <Button icon={<Pencil />} {...RenameTagDialog.preloadProps} onClick={() => setRenaming(true)}>
              Rename tag
            </Button>
          )
        }
      >
        <Breadcrumb
          steps={[
            { label: title, to: `/projects/${projectId}` },
            { label: 'Tags', to: tagsPath(projectId) },
            { label: tag },
          ]}
        />
      </PageHeader>
      {isUnused && !query.isPlaceholderData ? (
        <EmptyState
          drawing="page"
          title="No entry has this tag"
          action={<LinkButton to={tagsPath(projectId)}>All tags</LinkButton>}
        >
          It may have been renamed.
        </EmptyState>
      ) : (
        <>
          <h2 className="sr-only">Entries</h2>
          <EntryPages
            projectId={projectId}
            milestoneTitles={new Map(milestones.map(({ _id, title: name }) => [_id, name]))}
            query={query}
            expected={filters.size}
            filtering={filtering}
            canEdit={canEdit}
            hasTag
          />
        </>
      )}
      {editing.entry && canEdit && (
        <Composer projectId={projectId} {...editing.entry} onClose={editing.close} />
      )}
      {isRenaming && <RenameTagDialog projectId={projectId} tag={tag} onClose={() => setRenaming(false)} />}
    </Page>
  )
}

/** The entry whose composer the search params open, as on the page of a project. */
function useEditing() {
  const [params, setParams] = useSearchParams()
  const navigate = useNavigate()
  const entryId = params.get('edit')
  const milestoneId = params.get('milestone')

  function close(moved?: { projectId: string; milestoneId: string }) {
    if (moved && entryId) {
      const path = entryPath(moved.projectId, { _id: entryId, milestone: moved.milestoneId })
      historyLayers().leave(() => void navigate(path, { replace: true }))
      return
    }
    const next = new URLSearchParams(params)
    next.delete('edit')
    next.delete('milestone')
    setParams(next, { replace: true, preventScrollReset: true })
  }

  return { entry: entryId && milestoneId ? { entryId, milestoneId } : null, close }
}
