import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { useOpenInvitations } from './queries.ts'

/** Marks the link to the collaborations while there is a pending invitation. */
export function InvitationDot() {
  const { length } = useOpenInvitations().invitations
  if (length === 0) return null
  return (
    <>
      <span
        className="size-2 shrink-0 animate-fade rounded-full bg-accent forced-colors:bg-[Highlight]"
        aria-hidden="true"
      />
      <VisuallyHidden>
        {length === 1 ? '1 invitation waits for your answer' : 'Invitations wait for your answer'}
      </VisuallyHidden>
    </>
  )
}
