import { type ReactNode, useState } from 'react'
import { useSession } from '#web/identity/session.tsx'
import { isLeaving } from '#web/identity/session-manager.ts'
import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'

const ConfirmDialog = dialogOnDemand(
  async () => (await import('#web/ui/dialogs/confirm-dialog.tsx')).ConfirmDialog,
)

type SignIn = (keepAccount: boolean) => Promise<void>

/** Offers somebody who signs in to an account that is being deleted to keep it. */
export function useKeepAccount(): {
  /** Signs in; of an account that is being deleted it opens the dialog instead. */
  offerToKeep: (signIn: SignIn) => Promise<void>
  dialog: ReactNode
} {
  const [offer, setOffer] = useState<{ signIn: SignIn; message: string } | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const { signOut } = useSession()

  async function offerToKeep(signIn: SignIn) {
    try {
      await signIn(false)
    } catch (error) {
      if (!isLeaving(error)) throw error
      setOffer({ signIn, message: error.message })
    }
  }

  async function keep({ signIn }: { signIn: SignIn }) {
    setIsBusy(true)
    try {
      await signIn(true)
      toast.success('Your account and your projects stay')
    } catch (error) {
      toast.error(error instanceof Error ? error.message : 'The account could not be kept')
    }
    setIsBusy(false)
    setOffer(null)
  }

  const dialog = offer && (
    <ConfirmDialog
      question="Keep your account?"
      detail={`${offer.message} If you keep it, your projects come back as they were.`}
      verb="Keep my account"
      harmless
      busy={isBusy}
      onConfirm={() => void keep(offer)}
      onClose={() => {
        setOffer(null)
        void signOut()
      }}
    />
  )
  return { offerToKeep, dialog }
}
