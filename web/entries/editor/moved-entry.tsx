import { findDraftOf } from '#web/drafts/queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import type { MilestoneRef } from './composer-settings.ts'

/** The milestone that an entry was moved to, with its names. */
export type NewHome = MilestoneRef & { milestoneTitle: string; projectTitle: string }

/**
 * Returns where an entry is now that is no longer in `milestoneId`. The server is not asked about the entry, but about this
 * person's draft of it, which names its milestone if they may view that. Null where the entry is gone, cannot be edited
 * there, or the server cannot be asked.
 */
export async function findNewHome(
  entryId: string,
  milestoneId: string,
  find = findDraftOf,
): Promise<NewHome | null> {
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
    return null // the error that led here is shown
  }
}

type MovedEntryProps = { home: NewHome; onOpen: () => void }

/** Says where an entry was moved to, and opens it there with what was written. */
export function MovedEntry({ home: { milestoneTitle, projectTitle }, onOpen }: MovedEntryProps) {
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
