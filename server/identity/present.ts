import type { User } from '#contract/identity.ts'
import type { UserRecord } from './store.ts'

export function presentUser({ id, name, email, photo_url }: UserRecord): User {
  return { _id: id, name, email, ...(photo_url !== null && { photoURL: photo_url }) }
}
