import { ScreenTitle } from '#web/shell/screen-title.tsx'
import { Button, LinkButton } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

const INVALID = 'Invalid Invitation'

type InvalidInvitationProps = {
  /** What the server said of it. */
  message: string | undefined
  /** Where asking again may help. */
  again: { isBusy: boolean; run: () => void } | null
}

/** The link leads nowhere, or it could not be found out where. */
export function InvalidInvitation({ message, again }: InvalidInvitationProps) {
  return (
    <>
      <ScreenTitle>{INVALID}</ScreenTitle>
      <EmptyState
        heading="h1"
        title={INVALID}
        action={
          <div className="flex gap-2.5">
            <LinkButton to="/">Back to Home</LinkButton>
            {again && (
              <Button variant="primary" busy={again.isBusy} onClick={again.run}>
                Try again
              </Button>
            )}
          </div>
        }
      >
        {message ?? 'This invitation link is invalid or has expired.'}
      </EmptyState>
    </>
  )
}
