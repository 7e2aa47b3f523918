import { useEffect, useState } from 'react'
import { session } from '#web/api/client.ts'
import { useSession } from '#web/identity/session.tsx'
import { dialogOnDemand } from '#web/ui/dialogs/on-demand.tsx'

const ProofDialog = dialogOnDemand(async () => (await import('./proof-dialog.tsx')).ProofDialog)

type Waiting = (isProven: boolean) => void

/** Asks the signed-in person to prove who they are: in one dialog for all calls that wait for it. */
export function ProofGate() {
  const { user } = useSession()
  const [waiting, setWaiting] = useState<Waiting[]>([])

  useEffect(() => {
    session.proveAgain = () => new Promise((resolve) => setWaiting((others) => [...others, resolve]))
  }, [])

  function answer(isProven: boolean) {
    for (const resolve of waiting) resolve(isProven)
    setWaiting((now) => now.filter((one) => !waiting.includes(one)))
  }

  if (waiting.length === 0) return null
  return <ProofDialog key={user?._id} onProven={() => answer(true)} onClose={() => answer(false)} />
}
