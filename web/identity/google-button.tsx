import { useState } from 'react'
import { useServerOptions } from '#web/api/server-options.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'
import { useHydrated } from '#web/ui/use-hydrated.ts'
import { GoogleFailure } from './provider.ts'
import { useSession } from './session.tsx'
import { googleFailures, noGoogle } from './texts.ts'

/** The way in through Google. A server that has none set up says so where errors are said. */
export function GoogleButton({ onFault }: { onFault: (text: string | null) => void }) {
  const { signInWithGoogle } = useSession()
  const options = useServerOptions()?.identity
  const isAlive = useHydrated()
  const [isBusy, setIsBusy] = useState(false)

  async function enter() {
    onFault(null)
    setIsBusy(true)
    await signInWithGoogle().catch((error: unknown) => onFault(explain(error)))
    setIsBusy(false)
  }

  return (
    <Button
      className="h-auto! min-h-10 w-full py-1.5 whitespace-normal! pointer-coarse:min-h-11"
      icon={<GoogleMark />}
      disabled={!isAlive}
      busy={isBusy}
      onClick={() => (options?.google ? void enter() : onFault(noGoogle))}
    >
      Continue with Google
    </Button>
  )
}

/** What the banner says; what failed after Google is in a toast already. */
function explain(error: unknown): string {
  if (!(error instanceof GoogleFailure)) return 'Google sign-in failed'
  const text = googleFailures[error.outcome]
  toast.error(text)
  return text
}

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" className="fill-current" aria-hidden="true">
      <path d="M21.6 12.23c0-.71-.06-1.39-.18-2.05H12v3.87h5.38a4.6 4.6 0 0 1-2 3.02v2.5h3.24c1.9-1.74 2.98-4.31 2.98-7.34Z" />
      <path d="M12 22c2.7 0 4.97-.9 6.62-2.43l-3.23-2.5c-.9.6-2.04.95-3.39.95a5.96 5.96 0 0 1-5.6-4.12H3.06v2.58A10 10 0 0 0 12 22Z" />
      <path d="M6.4 13.9a6 6 0 0 1 0-3.8V7.52H3.06a10 10 0 0 0 0 8.96L6.4 13.9Z" />
      <path d="M12 5.98c1.47 0 2.79.5 3.82 1.5l2.87-2.87A9.6 9.6 0 0 0 12 2a10 10 0 0 0-8.94 5.52L6.4 10.1A5.96 5.96 0 0 1 12 5.98Z" />
    </svg>
  )
}
