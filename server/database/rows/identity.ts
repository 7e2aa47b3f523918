import type { Created } from './columns.ts'

/** An application session. The tokens that contain its id end with it, and it ends with the provider's session. */
export type SessionRow = {
  id: string
  user_id: string
  provider_session: string | null
  created_at: Created
  revoked_at: Date | null
  /** When a hosted provider last authenticated the person; null if the provider's session has it, or it is unknown. */
  proven_at: Date | null
}

export type IdentityTables = {
  sessions: SessionRow
}
