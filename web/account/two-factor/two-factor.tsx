import { useIsMutating } from '@tanstack/react-query'
import { useState } from 'react'
import type { Account } from '#contract/account.ts'
import { useIssuerName } from '#web/identity/issuer-name.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'
import { Badge } from '#web/ui/layout/badge.tsx'
import { Time } from '#web/ui/layout/time.tsx'
import { twoFactorMutationKey } from './mutations.ts'

const SetupDialog = dialogOnDemand(async () => (await import('./setup-dialog.tsx')).SetupDialog)
const ChangeDialog = dialogOnDemand(async () => (await import('./change-dialog.tsx')).ChangeDialog)

/** Turns two-step sign-in on and off, and creates new recovery codes. */
export function TwoFactor({ account }: { account: Account }) {
  const { password, twoFactor } = account
  const issuer = useIssuerName()
  const [open, setOpen] = useState<'setup' | 'off' | 'codes' | null>(null)
  const isChanging = useIsMutating({ mutationKey: twoFactorMutationKey }) > 0
  const close = () => setOpen(null)
  if (password === 'elsewhere')
    return (
      <p className="text-muted">
        This server signs people in with Firebase. A second step is set up there, not here.
      </p>
    )
  if (password === 'off')
    return <p className="text-muted">This server has no two-step sign-in: you sign in with {issuer}.</p>
  if (password === 'none')
    return (
      <p className="text-muted">
        {issuer === 'Google'
          ? 'You sign in with Google: turn on 2-Step Verification in your Google account.'
          : `You sign in with ${issuer}: a second step is set up there, not here.`}
      </p>
    )
  return (
    <div tabIndex={-1} className="outline-none">
      {twoFactor ? (
        <>
          <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <Badge tone="success">On</Badge>
            <span className="text-muted">
              Since <Time iso={twoFactor.since} />. {left(twoFactor.recoveryCodes)}
            </span>
          </p>
          <div className="mt-5 flex flex-wrap gap-2.5">
            <Button busy={isChanging} {...ChangeDialog.preloadProps} onClick={() => setOpen('codes')}>
              New recovery codes
            </Button>
            <Button busy={isChanging} {...ChangeDialog.preloadProps} onClick={() => setOpen('off')}>
              Turn off
            </Button>
          </div>
        </>
      ) : (
        <>
          <p className="text-muted">
            With an authenticator app on your phone, signing in needs a code of the app besides your password.
            The password alone is then not enough.
          </p>
          <Button
            className="mt-5"
            busy={isChanging}
            {...SetupDialog.preloadProps}
            onClick={() => setOpen('setup')}
          >
            Turn on two-step sign-in
          </Button>
        </>
      )}
      {open === 'setup' && <SetupDialog email={account.email} onClose={close} />}
      {(open === 'off' || open === 'codes') && (
        <ChangeDialog email={account.email} purpose={open} onClose={close} />
      )}
    </div>
  )
}

function left(codes: number): string {
  if (codes === 0) return 'No recovery code is left: make new ones.'
  return codes === 1 ? 'One recovery code is left.' : `${codes} recovery codes are left.`
}
