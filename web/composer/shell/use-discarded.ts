import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { DraftFields } from '#contract/drafts.ts'
import { watchSession } from '#web/api/client.ts'
import { bringBack } from '#web/drafts/mutations.ts'
import { toast } from '#web/ui/feedback/toast.tsx'

type Discarded = {
  fields: DraftFields
  /** Brings it back into the form; absent if it was never there. */
  restore?: () => void
}

/**
 * The draft that was discarded in the composer, until it is brought back. It is offered in the form, where a keyboard and a phone
 * reach it, and by a message once the composer is closed.
 */
export function useDiscarded(initially: DraftFields | undefined) {
  const client = useQueryClient()
  const [discarded, setDiscarded] = useState<Discarded | null>(initially ? { fields: initially } : null)
  const [isSessionOver] = useState(watchSession)
  const isMounted = useRef(false)

  const offerOnLeave = useEffectEvent(() => {
    if (!discarded || isSessionOver()) return
    const { fields } = discarded
    // In development, React mounts a form twice to check its effects.
    queueMicrotask(() => {
      if (isMounted.current) return
      toast.success('Draft discarded', { label: 'Undo', run: () => void bringBack(client, fields) })
    })
  })

  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
      offerOnLeave()
    }
  }, [])

  return {
    isOffered: discarded !== null,
    offer: (fields: DraftFields, restore: () => void) => setDiscarded({ fields, restore }),
    /** Brings it back into the form or, if the form has another text by now, among the drafts. */
    undo(hasOther: boolean) {
      if (!discarded) return
      const { fields, restore } = discarded
      setDiscarded(null)
      if (restore && !hasOther) restore()
      else void bringBack(client, fields)
    },
  }
}
