import type { Entry } from '#contract/entries.ts'
import type { Milestone } from '#contract/milestones.ts'
import type { World } from '#contract/world.ts'
import { streamSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { iterateProjectEntries } from '#server/entries/stream.ts'
import { listMilestones } from '#server/milestones/service.ts'
import { type JsonStream, writeJson } from '#server/platform/http/json-stream.ts'
import { demandPublic } from './pages.ts'
import { presentPublicProject } from './present.ts'

/** A public project with all it holds, in one consistent view. Throws `not_found` unless it is public. */
export function streamWorld(deps: AppDeps, projectId: string): JsonStream<World> {
  return streamSnapshot(deps.db, async function* (db) {
    const within = { ...deps, db }
    const project = presentPublicProject(await demandPublic(db, projectId))
    const milestones = await listMilestones(within, null, projectId)
    const entries = iterateProjectEntries(within, null, projectId)
    yield* writeJson<World>({ project, milestones: withEntries(milestones, entries) })
  })
}

/** Gives each milestone its entries; those of all come in the order of the milestones. */
async function* withEntries(milestones: Milestone[], entries: AsyncGenerator<Entry>) {
  let upcoming = await entries.next()

  async function* entriesOf({ _id }: Milestone) {
    for (; !upcoming.done && upcoming.value.milestone === _id; upcoming = await entries.next())
      yield upcoming.value
  }

  for (const milestone of milestones) yield { ...milestone, entries: entriesOf(milestone) }
}
