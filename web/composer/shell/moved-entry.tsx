import type { ListedDraft } from '#contract/drafts.ts'
import { request } from '#web/api/client.ts'
import { findDraftOf } from '#web/drafts/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import type { MilestoneRef } from './composer-settings.ts'

/** The milestone that an entry was moved to, with its names. */
export type MovedMilestone = MilestoneRef & { milestoneTitle: string; projectTitle: string }

/**
 * Returns the current milestone of an entry that is no longer in `milestoneId`. It reads this person's draft of the entry, which
 * contains the milestone if they may view it; another tab may have saved that draft, and the entry is then located itself.
 * Returns null if the entry was deleted, cannot be edited there, or the request fails.
 */
export async function findMovedMilestone(
  entryId: string,
  milestoneId: string,
  find = findDraftOf,
  locate = locateEditable,
): Promise<MovedMilestone | null> {
  try {
    const draft = await find(entryId)
    const found = draft ? milestoneOf(draft) : await locate(entryId)
    return found?.milestoneId === milestoneId ? null : found
  } catch {
    return null // the original error is shown
  }
}

function milestoneOf({ entry, milestone, project, canEdit }: ListedDraft): MovedMilestone | null {
  if (!entry || !milestone || !project || !canEdit) return null
  return {
    projectId: project._id,
    projectTitle: project.title,
    milestoneId: milestone._id,
    milestoneTitle: milestone.title,
  }
}

/** Returns the milestone of an entry, or null if this person may not edit it. Throws ApiError if the entry does not exist. */
async function locateEditable(entryId: string): Promise<MovedMilestone | null> {
  const { project: projectId, milestone: milestoneId } = await request('locateEntry', { params: { entryId } })
  const params = { projectId }
  const [project, milestones, { canEdit }] = await Promise.all([
    request('readProject', { params }),
    request('listMilestones', { params }),
    request('readPermissions', { params }),
  ])
  const milestone = milestones.find(({ _id }) => _id === milestoneId)
  if (!milestone || !canEdit) return null
  return { projectId, projectTitle: project.title, milestoneId, milestoneTitle: milestone.title }
}

type MovedEntryProps = {
  moved: MovedMilestone
  /** Whether the person has unsaved text. */
  hasText: boolean
  onOpen: () => void
}

/** Shows the new milestone of a moved entry, and opens it there with the unsaved text, if any. */
export function MovedEntry({ moved: { milestoneTitle, projectTitle }, hasText, onOpen }: MovedEntryProps) {
  return (
    <Banner>
      <p>
        This entry was moved to <bdi>{milestoneTitle}</bdi> in <bdi>{projectTitle}</bdi>.
        {hasText && ' What you wrote is still here.'}
      </p>
      <p className="mt-2.5">
        <Button size="sm" onClick={onOpen}>
          Open it there
        </Button>
      </p>
    </Banner>
  )
}
