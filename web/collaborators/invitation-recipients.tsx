import { useMutationState } from '@tanstack/react-query'
import { useState } from 'react'
import type { InvitedCollaborator } from '#contract/collaborators.ts'
import { Banner } from '#web/ui/banner.tsx'
import { invitingKey } from './mutations.ts'

/** On a server without mail: which account got the invitation that was just made, so that the inviter can judge it. */
export function InvitationRecipients({ projectId }: { projectId: string }) {
  const [openedAt] = useState(() => Date.now())
  const [invited] = useMutationState({
    filters: {
      mutationKey: invitingKey(projectId),
      status: 'success',
      predicate: ({ state }) => state.submittedAt >= openedAt,
    },
    select: ({ state }) => state.data as InvitedCollaborator,
  }).slice(-1)
  if (!invited?.recipients) return null
  return (
    <Banner tone="info">
      <Recipients email={invited.email} names={invited.recipients.map(({ name }) => name)} />
    </Banner>
  )
}

function Recipients({ email, names }: { email: string; names: string[] }) {
  if (names.length === 0) {
    return (
      <>
        Nobody with the address <bdi>{email}</bdi> has an account here yet. Only the link reaches them.
      </>
    )
  }
  const [first, ...others] = names
  return (
    <>
      <bdi className="font-semibold">{first}</bdi>
      {others.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may be the same, and their order stays
        <span key={index}>
          {index === others.length - 1 ? ' and ' : ', '}
          <bdi className="font-semibold">{name}</bdi>
        </span>
      ))}{' '}
      {others.length === 0 ? 'has an account' : 'have accounts'} with the address <bdi>{email}</bdi> here, and
      will find this invitation under Collaborations. If that is not whom you mean, remove the invitation.
    </>
  )
}
