import { useLocation, useNavigate, useSearchParams } from 'react-router'
import type { Milestone } from '#contract/milestones.ts'
import { forAnotherMilestone } from '#web/entries/list/entry-filters.ts'
import { entryPath, isFromEntryPage } from '#web/entries/paths.ts'
import { historyLayers } from '#web/ui/use-history-layer.ts'

const SELECTED = 'selected'

type MovedTo = { projectId: string; milestoneId: string }

/**
 * The search params of a project's page: `selected` is the milestone whose entries are shown; `edit` and `milestone`
 * together open the editor on an entry.
 */
export function useProjectParams() {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation()
  const navigate = useNavigate()
  const entryId = params.get('edit')
  const milestoneId = params.get('milestone')

  function withoutEditor() {
    const next = new URLSearchParams(params)
    next.delete('edit')
    next.delete('milestone')
    return next
  }

  function pathTo({ _id }: Milestone): string {
    const next = forAnotherMilestone(withoutEditor())
    next.set(SELECTED, _id)
    return `?${next}`
  }

  /** `moved` is where the entry is now, if it was moved: its page has another path then. */
  function closeEditor(moved?: MovedTo) {
    if (moved && entryId) historyLayers().leave(() => void openMoved(moved, entryId))
    else if (isFromEntryPage(state)) historyLayers().leave(() => void navigate(-1))
    else closeInPlace()
  }

  async function openMoved({ projectId, milestoneId: milestone }: MovedTo, _id: string) {
    await navigate(entryPath(projectId, { _id, milestone }), { replace: true })
  }

  function closeInPlace() {
    const next = withoutEditor()
    if (milestoneId) next.set(SELECTED, milestoneId)
    setParams(next, { replace: true, preventScrollReset: true })
  }

  return {
    selectedId: params.get(SELECTED) ?? milestoneId ?? undefined,
    pathTo,
    wayBack: { search: '' },
    editing: entryId && milestoneId ? { entryId, milestoneId } : null,
    closeEditor,
  }
}
