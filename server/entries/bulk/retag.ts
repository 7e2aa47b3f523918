import type { Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { addPlanned, planRevisions, trimHistories } from '#server/history/retagging.ts'
import { type TaggedEntry, updateTags } from './tag-store.ts'

export type Retagging = { entry: TaggedEntry; tags: string[] }

/**
 * Gives many entries of a project other tags, each with a version and a revision of its own, in a few statements. Returns the bytes by
 * which their histories grew.
 */
export async function retag(
  trx: Transaction<Schema>,
  deps: Pick<AppDeps, 'quotas'>,
  { projectId, writerId, now }: { projectId: string; writerId: string; now: Date },
  retaggings: readonly Retagging[],
): Promise<number> {
  const save = { writerId, now }
  const planned = await planRevisions(
    trx,
    retaggings.map(({ entry }) => entry),
    save,
  )
  const added = new Map(planned.map((one) => [one.entryId, one.added]))
  await updateTags(
    trx,
    retaggings.map(({ entry: { id }, tags }) => ({ id, tags, added: added.get(id) ?? 0 })),
    now,
  )
  await addPlanned(trx, planned, save)
  return trimHistories(trx, deps, projectId, planned)
}

/** Returns tags with one in the place of another, without duplicates. */
export const replaced = (tags: readonly string[], tag: string, name: string): string[] => [
  ...new Set(tags.map((one) => (one === tag ? name : one))),
]

type Renaming = { tag: string; name: string; former: string[] | null }

/**
 * Returns the tags that an entry had before a renaming, or undefined if it has the new tag no longer. `former`: all tags of an entry that had both;
 * if they were changed since, it gets the former one back beside the other.
 */
export function restoredTags(
  current: readonly string[],
  { tag, name, former }: Renaming,
): string[] | undefined {
  if (!current.includes(name)) return undefined
  if (former === null) return replaced(current, name, tag)
  const renamed = replaced(former, tag, name)
  const isUnchanged = renamed.length === current.length && renamed.every((one, at) => one === current[at])
  if (isUnchanged) return former
  const both = former.indexOf(tag) < former.indexOf(name) ? [tag, name] : [name, tag]
  return [...new Set(current.flatMap((one) => (one === name ? both : [one])))]
}
