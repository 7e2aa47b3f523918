import { createContext, use, useState } from 'react'
import type { FoundInvitation } from '#contract/rendering.ts'
import { useHydrated } from '#web/ui/layout/use-hydrated.ts'

/** The invitation that the server has found for the URL of the document. */
export const InvitationContext = createContext<FoundInvitation | undefined>(undefined)

/** Returns the invitation with a token, if the document has just brought it; later it is fetched by its screen. */
export function useFoundInvitation(token: string): FoundInvitation | undefined {
  const found = use(InvitationContext)
  const isHydrated = useHydrated()
  const [first] = useState(isHydrated || found?.token !== token ? undefined : found)
  return first
}
