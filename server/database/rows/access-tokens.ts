import type { Scope } from '#contract/parts/call.ts'
import type { Created, Remembering } from './columns.ts'

/** A token with which a program acts for a user. Revoking deletes it. */
export type AccessTokenRow = Remembering & {
  id: string
  user_id: string
  name: string
  /** SHA-256 of the token. */
  token_hash: Buffer
  scopes: Scope[]
  /** Null: all projects of the user. */
  project_ids: string[] | null
  created_at: Created
  expires_at: Date | null
  last_used_at: Date | null
}

export type AccessTokenTables = {
  access_tokens: AccessTokenRow
}
