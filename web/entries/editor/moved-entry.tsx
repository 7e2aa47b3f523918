import { findDraftOf } from '#web/drafts/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import type { MilestoneRef } from './composer-settings.ts'

/** The milestone that an entry was moved to, with its names. */
export type MovedMilestone = MilestoneRef & { milestoneTitle: string; projectTitle: string }

/**
 * Returns the current milestone of an entry that is no longer in `milestoneId`. It reads not the entry but this
 * person's draft of it, which contains the milestone if they may view it. Returns null if the entry was deleted, cannot be
 * edited there, or the request fails.
 */
export async function findMovedMilestone(
  entryId: string,
  milestoneId: string,
  find = findDraftOf,
): Promise<MovedMilestone | null> {
  try {
    const { entry, milestone, project, canEdit } = (await find(entryId)) ?? {}
    if (!entry || !milestone || !project || !canEdit || milestone._id === milestoneId) return null
    return {
      projectId: project._id,
      projectTitle: project.title,
      milestoneId: milestone._id,
      milestoneTitle: milestone.title,
    }
  } catch {
    return null // the original error is shown
  }
}

type MovedEntryProps = { moved: MovedMilestone; onOpen: () => void }

/** Shows the new milestone of a moved entry, and opens it there with the unsaved text. */
export function MovedEntry({ moved: { milestoneTitle, projectTitle }, onOpen }: MovedEntryProps) {
  return (
    <Banner>
      <p>
        This entry was moved to <bdi>{milestoneTitle}</bdi> in <bdi>{projectTitle}</bdi>. What you wrote is
        still here.
      </p>
      <p className="mt-2.5">
        <Button size="sm" onClick={onOpen}>
          Open it there
        </Button>
      </p>
    </Banner>
  )
}
