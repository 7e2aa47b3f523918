import { type ReactNode, useState } from 'react'
import { useSession } from '#web/identity/session.tsx'
import { isAccountRefused, isLeaving } from '#web/identity/session-manager.ts'
import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { clearRemembered } from './use-credentials.ts'

const ConfirmDialog = dialogOnDemand(
  async () => (await import('#web/ui/dialogs/confirm-dialog.tsx')).ConfirmDialog,
)

/** Offers the owner of an account that is being deleted, when they sign in, to keep it. */
export function useKeepAccount(): {
  /** Signs in; for an account that is being deleted it opens the dialog instead. */
  offerToKeep: (signIn: () => Promise<void>) => Promise<void>
  dialog: ReactNode
} {
  /** The email of the account, from the server. */
  const [offer, setOffer] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const { startSession, signOut } = useSession()

  async function offerToKeep(signIn: () => Promise<void>) {
    try {
      await signIn()
    } catch (error) {
      if (!isLeaving(error)) throw error
      setOffer(error.message)
    }
  }

  /** Continues the sign-in, which the provider has accepted. */
  async function keep() {
    setIsBusy(true)
    try {
      await startSession(true)
      clearRemembered()
      toast.success('Your account and your projects stay')
    } catch (error) {
      // Any other error has already been shown.
      if (isAccountRefused(error)) toast.error(error.message)
    }
    setIsBusy(false)
    setOffer(null)
  }

  const dialog = offer && (
    <ConfirmDialog
      question="Keep your account?"
      detail={`${offer} If you keep it, your projects come back as they were.`}
      verb="Keep my account"
      harmless
      busy={isBusy}
      uncancellable={isBusy}
      onConfirm={() => void keep()}
      onClose={() => {
        setOffer(null)
        void signOut()
      }}
    />
  )
  return { offerToKeep, dialog }
}
