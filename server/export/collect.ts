import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import type { Caller } from '#server/platform/calls.ts'
import { type Incremental, writeJson } from '#server/platform/http/json-stream.ts'
import type { Add, Item } from './archive-files.ts'
import { collectProjects } from './collect-projects.ts'
import type { TemporaryFile } from './temporary-file.ts'

/** Increased with incompatible changes of `milepost.json`. */
const FORMAT = 1
/** `json`: the content of `milepost.json`; `items`: the other files of the archive, one per line. */
export type ArchiveParts = { json: TemporaryFile; items: TemporaryFile }

/**
 * Writes all data of the caller into the parts, from one snapshot of the database: everything of their own projects, and
 * what they wrote in projects of others. For a program, only what its token may read.
 */
export function collectData(
  deps: AppDeps,
  caller: Caller,
  { parts, features }: { parts: ArchiveParts; features: readonly Feature[] },
): Promise<void> {
  return inSnapshot(deps.db, async (db) => {
    const reading = { ...deps, db }
    const add = (item: Item) => parts.items.write(`${JSON.stringify(item)}\n`)
    const archive = {
      format: FORMAT,
      madeAt: deps.clock().toISOString(),
      ...(caller.grant ? {} : await collectAccount(reading, caller, { add, features })),
      projects: collectProjects(reading, caller, { add, features }),
    }
    // Only the tests of this room check the shape of the file; the contract does not describe it.
    for await (const text of writeJson(archive as Incremental<object>)) await parts.json.write(text)
  })
}

/** Collects the person's data outside of projects, which programs do not get. */
async function collectAccount(
  deps: AppDeps,
  caller: Caller,
  { add, features }: { add: Add; features: readonly Feature[] },
): Promise<object> {
  const collected = {}
  for (const { exportAccount } of features) Object.assign(collected, await exportAccount?.(deps, caller, add))
  return collected
}
