import { Fingerprint } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { isUncertain, serverMessage } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { useSession } from '#web/identity/session.tsx'
import { useKeepAccount } from '#web/identity/sign-in/keep-account.tsx'
import { clearRemembered } from '#web/identity/sign-in/use-credentials.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { useFirstPress } from '#web/ui/controls/use-first-press.ts'
import { useHydrated } from '#web/ui/layout/use-hydrated.ts'

const loadBrowser = () => import('./browser.ts')

/** Shorter than the lifetime of a challenge. */
const SUGGESTING_MS = 9 * 60_000

type Props = { onError: (text: string | null) => void }

/** Signs in with a passkey: by the button, or when the person chooses one among the suggestions of the email field. */
export function PasskeySignIn({ onError }: Props) {
  const { startSession } = useSession()
  const { offerToKeep, dialog } = useKeepAccount()
  const isAlive = useHydrated()
  const [isBusy, setIsBusy] = useState(false)

  async function signIn(autofill: boolean, onChosen?: () => void) {
    const { signWithPasskey } = await loadBrowser()
    const options = await request('beginPasskeySignIn', {})
    const credential = await signWithPasskey(options, { autofill })
    onChosen?.()
    await request('signInWithPasskey', { body: { credential } })
    await startSession()
    clearRemembered()
  }

  const press = useFirstPress(async () => {
    onError(null)
    setIsBusy(true)
    try {
      await offerToKeep(() => signIn(false))
    } catch (error) {
      onError(await messageOf(error))
    }
    setIsBusy(false)
  })

  /** Suggests passkeys in the email field. Returns whether the server refused the chosen one. */
  async function suggest(isStopped: () => boolean): Promise<boolean> {
    let isChosen = false
    try {
      await offerToKeep(() => signIn(true, () => (isChosen = true)))
    } catch (error) {
      // Otherwise the person has not acted yet; the button shows the error.
      if (isStopped() || !isChosen || serverMessage(error) === undefined) return false
      onError(await messageOf(error))
      return true
    }
    return false
  }

  useSuggestions(isAlive && !isBusy, suggest)

  return (
    <>
      {dialog}
      <Button
        className="mt-3 w-full"
        icon={<Fingerprint aria-hidden="true" />}
        disabled={!isAlive}
        busy={isBusy}
        onClick={() => press()}
      >
        Use a passkey
      </Button>
    </>
  )
}

/** Suggests passkeys while `isOn`, again before a challenge expires, and after `suggest` has resolved to true. */
function useSuggestions(isOn: boolean, suggest: (isStopped: () => boolean) => Promise<boolean>) {
  const begins = useEffectEvent(suggest)

  useEffect(() => {
    let isStopped = !isOn
    let timer: ReturnType<typeof setTimeout> | undefined
    async function keepSuggesting(): Promise<void> {
      if (isStopped) return
      clearTimeout(timer)
      const { suggestsPasskeys } = await loadBrowser()
      if (!(await suggestsPasskeys())) return
      if (isStopped) return
      timer = setTimeout(begin, SUGGESTING_MS)
      if (await begins(() => isStopped)) begin()
    }
    function begin() {
      keepSuggesting().catch(() => undefined) // its code could not be loaded: the button retries and reports it
    }
    begin()
    return () => {
      isStopped = true
      clearTimeout(timer)
    }
  }, [isOn])

  useEffect(() => stopSuggesting, [])
}

function stopSuggesting() {
  loadBrowser().then(
    ({ cancelPasskeyRequest }) => cancelPasskeyRequest(),
    () => undefined, // the code was not loaded, so nothing was suggested
  )
}

async function messageOf(failure: unknown): Promise<string> {
  const message = serverMessage(failure) ?? (isUncertain(failure) ? failure.message : undefined)
  if (message !== undefined) return message
  if (!('PublicKeyCredential' in window))
    return 'This browser does not support passkeys. Sign in another way.'
  const browser = await loadBrowser().catch(() => undefined)
  if (!browser) return 'The server cannot be reached. Check your connection and try again.'
  return failure instanceof browser.NoPasskey
    ? 'No passkey was used. Try again, or sign in another way.'
    : 'The sign-in with a passkey failed. Please try again.'
}
