import type { AppDeps } from '#server/deps.ts'
import { derivedId } from '#server/platform/changes/changes.ts'
import { findHere, findTaken, listItems } from './item-store.ts'
import type { Source, Thing } from './items.ts'
import { readLines } from './lines.ts'

/** What each item becomes, by its ref. */
export type Targets = {
  /** The id that it has, or will have. */
  idOf: (ref: string) => string
  /** Whether an earlier import has brought it, and it is still there. */
  isHere: (ref: string) => boolean
  /** Whether this import has created it, before it was interrupted. */
  isMade: (ref: string) => boolean
  has: (ref: string) => boolean
}

const AT_ONCE = 500

/**
 * Finds out what the items of an archive become: what is there already, the id that they had on another Milepost if it is free, or
 * one that follows from the import, so that an interrupted one goes on with the same.
 */
export async function resolveTargets(
  { db }: Pick<AppDeps, 'db'>,
  { id, userId, source }: { id: string; userId: string; source: Source },
  lines: string,
): Promise<Targets> {
  const made = new Map((await listItems(db, id)).map(({ ref, target_id }) => [ref, target_id]))
  const ids = new Map<string, string>()
  const here = new Set<string>()
  let batch: Thing[] = []

  async function resolveBatch() {
    const open = batch.filter(({ ref }) => !made.has(ref))
    const found = await findHere(
      db,
      { userId, source },
      open.map(({ key }) => key),
    )
    const before = new Map(found.map(({ kind, source_id, target_id }) => [`${kind} ${source_id}`, target_id]))
    const taken =
      source === 'milepost'
        ? await findTaken(
            db,
            open.map(({ ref }) => ref),
          )
        : undefined
    for (const { kind, key, ref } of open) {
      const known = before.get(`${kind} ${key}`)
      if (known !== undefined) here.add(ref)
      ids.set(ref, known ?? (taken?.has(ref) === false ? ref : derivedId('import', id, ref)))
    }
    batch = []
  }

  for await (const item of readLines(lines)) {
    if (item.kind === 'version') continue
    batch.push(item)
    if (batch.length >= AT_ONCE) await resolveBatch()
  }
  await resolveBatch()
  return {
    idOf: (ref) => made.get(ref) ?? ids.get(ref) ?? derivedId('import', id, ref),
    isHere: (ref) => here.has(ref),
    isMade: (ref) => made.has(ref),
    has: (ref) => made.has(ref) || ids.has(ref),
  }
}
