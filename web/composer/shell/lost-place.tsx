import type { ReactNode } from 'react'
import type { Permissions } from '#contract/permissions.ts'
import type { DraftOrigin } from '#web/composer/drafts/entry-draft.ts'
import { useMilestones } from '#web/milestones/queries.ts'
import { usePermissions } from '#web/projects/queries.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'

type Rights = Pick<ReturnType<typeof usePermissions>, 'isAbsent' | 'isKnown'> & {
  permissions: Pick<Permissions, 'canView' | 'canEdit' | 'role'>
}

/** Returns why a person can no longer save in a project; null if they can, or that is unknown. */
export function lostRight({ permissions, isAbsent, isKnown }: Rights): 'viewer' | 'not a member' | null {
  if (isAbsent) return 'not a member'
  if (!isKnown || permissions.canEdit) return null
  // Everybody may view a public project, without a role in it.
  return permissions.canView && permissions.role !== null ? 'viewer' : 'not a member'
}

type LostPlaceProps = { origin: DraftOrigin; isNew: boolean; others: ReactNode }

/**
 * Says that the writer may no longer save in the project, or that the milestone of a new entry was deleted, as soon as the
 * server's event arrives. `others` are shown if neither is so.
 */
export function LostPlace({ origin, isNew, others }: LostPlaceProps) {
  const lost = lostRight(usePermissions(origin.projectId ?? ''))
  const list = useMilestones(origin.projectId ?? '')
  const isMilestoneLost = isNew && isDeleted(origin.milestoneId, list)
  if (!lost && !isMilestoneLost) return others
  const project = origin.projectTitle ? <bdi>{origin.projectTitle}</bdi> : 'this project'
  return (
    <Banner>
      {lost === 'viewer' ? (
        <p>You may now only read {project}: its owner has made you a viewer.</p>
      ) : lost ? (
        <p>You are no longer a member of {project}, or it was deleted.</p>
      ) : (
        <p>
          The milestone <bdi>{origin.milestoneTitle}</bdi> was deleted.
        </p>
      )}
      <p>
        What you wrote is still here, and is kept among your drafts. You can save it in another{' '}
        {lost ? 'project' : 'milestone'}.
      </p>
    </Banner>
  )
}

type MilestoneList = Pick<ReturnType<typeof useMilestones>, 'isPending' | 'isError' | 'isFetching'> & {
  milestones: readonly { _id: string }[]
}

/** Whether the list, which is known and current, does not have the milestone. */
export const isDeleted = (
  milestoneId: string,
  { milestones, isPending, isError, isFetching }: MilestoneList,
): boolean => !(isPending || isError || isFetching) && !milestones.some(({ _id }) => _id === milestoneId)
