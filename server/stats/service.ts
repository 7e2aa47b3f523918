import type { Stats } from '#contract/stats.ts'
import type { Parts } from '#server/parts.ts'
import { countContent, countPeople } from './store.ts'

/** How much is documented on this server, by everybody. */
export function readStats({ db }: Parts): Promise<Stats> {
  return countContent(db)
}

/** How many people have signed in here at least once. */
export async function countUsers({ db }: Parts): Promise<{ total: number }> {
  return { total: await countPeople(db) }
}
