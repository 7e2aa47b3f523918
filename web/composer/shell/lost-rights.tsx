import type { ReactNode } from 'react'
import type { Permissions } from '#contract/permissions.ts'
import type { DraftOrigin } from '#web/composer/drafts/entry-draft.ts'
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

/**
 * Says that the writer may no longer save in the project, as soon as the server's event arrives. `others` are shown if that is not
 * so.
 */
export function LostRights({ origin, others }: { origin: DraftOrigin; others: ReactNode }) {
  const lost = lostRight(usePermissions(origin.projectId ?? ''))
  if (!lost) return others
  const title = origin.projectTitle ? <bdi>{origin.projectTitle}</bdi> : 'this project'
  return (
    <Banner>
      {lost === 'viewer' ? (
        <p>You may now only read {title}: its owner has made you a viewer.</p>
      ) : (
        <p>You are no longer a member of {title}, or it was deleted.</p>
      )}
      <p>What you wrote is still here, and is kept among your drafts. You can save it in another project.</p>
    </Banner>
  )
}
