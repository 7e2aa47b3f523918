import type { Created, Nullable, ReadOnly } from './columns.ts'

/** A name of a person's public page, current or former. */
export type ProfileNameRow = { name: string; user_id: string; created_at: Created }

/** A person's public page. `name`: the current one. */
export type ProfileRow = { user_id: string; name: Nullable<string>; about: string; is_on: boolean }

/** The digest of a name of a deleted account, which nobody can take. */
export type RetiredProfileNameRow = { digest: Buffer }

/** The public pages that are on, of people who can sign in. */
export type PublicProfileRow = ReadOnly<{
  user_id: string
  name: string
  about: string
  display_name: string
}>

export type ProfileTables = {
  profile_names: ProfileNameRow
  profiles: ProfileRow
  retired_profile_names: RetiredProfileNameRow
  public_profiles: PublicProfileRow
}
