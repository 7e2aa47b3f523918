import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { useServerOptions } from '#web/api/server-options.ts'
import { useSession } from '#web/identity/session.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { useFirstPress } from '#web/ui/controls/use-first-press.ts'

/** A button that sends another confirmation email. Renders nothing unless this server is the identity provider. */
export function ConfirmationEmail() {
  const { user } = useSession()
  const isOurs = useServerOptions()?.identity.provider === 'local'
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<string | null>(null)

  const sendEmail = useFirstPress(async () => {
    setBusy(true)
    try {
      await request('sendVerificationEmail', {})
      setOutcome(`A new email is on its way to ${user?.email}. Its link works for a day.`)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setOutcome(error.message)
    } finally {
      setBusy(false)
    }
  })

  if (!isOurs) return null
  return (
    <div className="mt-2.5">
      <Button size="sm" icon={<MailCheck />} busy={isBusy} onClick={() => sendEmail()}>
        Send a new confirmation email
      </Button>
      <output className="mt-2 block empty:hidden">{outcome}</output>
    </div>
  )
}
