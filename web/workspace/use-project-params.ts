import { useLocation, useNavigate, useSearchParams } from 'react-router'
import type { Milestone } from '#contract/milestones.ts'
import { forAnotherMilestone } from '#web/entries/list/entry-filters.ts'
import { ALL_ENTRIES, entryPath, isFromEntryPage, rememberEdited, TIMELINE } from '#web/entries/paths.ts'
import { historyLayers } from '#web/ui/dialogs/history-layers.ts'

const SELECTED = 'selected'

type MovedTo = { projectId: string; milestoneId: string }

/**
 * The search params of a project's page: `selected` is the milestone whose entries are shown, `all`, or `timeline`; `edit` and `milestone`
 * together open the composer on an entry.
 */
export function useProjectParams() {
  const [params, setParams] = useSearchParams()
  const { state } = useLocation()
  const navigate = useNavigate()
  const entryId = params.get('edit')
  const milestoneId = params.get('milestone')

  function withoutComposer() {
    const next = new URLSearchParams(params)
    next.delete('edit')
    next.delete('milestone')
    return next
  }

  function pathToEntriesOf(selection: string): string {
    const next = forAnotherMilestone(withoutComposer())
    next.set(SELECTED, selection)
    return `?${next}`
  }

  const pathTo = ({ _id }: Milestone) => pathToEntriesOf(_id)

  /** Shows the entries of a newly created milestone. */
  async function select(milestone: Milestone) {
    await navigate(pathTo(milestone), { preventScrollReset: true })
  }

  /** `moved` is the entry's new location, if it was moved, because the path of its page has changed. */
  function closeComposer(moved?: MovedTo) {
    if (moved && entryId) historyLayers().leave(() => void openMoved(moved, entryId))
    else if (isFromEntryPage(state)) historyLayers().leave(backToEntry)
    else closeInPlace()
  }

  function backToEntry() {
    if (entryId) rememberEdited(entryId)
    void navigate(-1)
  }

  async function openMoved({ projectId, milestoneId: milestone }: MovedTo, _id: string) {
    await navigate(entryPath(projectId, { _id, milestone }), { replace: true })
  }

  function closeInPlace() {
    const next = withoutComposer()
    if (milestoneId && next.get(SELECTED) !== ALL_ENTRIES) next.set(SELECTED, milestoneId)
    setParams(next, { replace: true, preventScrollReset: true })
  }

  return {
    selectedId: params.get(SELECTED) ?? milestoneId ?? undefined,
    pathTo,
    pathToAll: pathToEntriesOf(ALL_ENTRIES),
    pathToTimeline: pathToEntriesOf(TIMELINE),
    select,
    wayBack: { search: '' },
    editing: entryId && milestoneId ? { entryId, milestoneId } : null,
    closeComposer,
  }
}
