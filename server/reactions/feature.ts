import type { Feature, TaskDeps } from '#server/feature.ts'
import { deleteInBatches, type ScheduledTask } from '#server/platform/schedule.ts'
import { reactionPages } from './pages.ts'
import { exportReactions, readReactions } from './service.ts'
import { deleteEarlierSalts, foldEarlierYears } from './store.ts'

const SWEEPING_EVERY_MS = 60 * 60_000
const BATCH = 1_000

export const reactionFeature: Feature = {
  name: 'reactions',
  routes: ({ serve, deps }) => {
    serve('readReactions', ({ caller, params }) => readReactions(deps, caller, params))
  },
  pages: reactionPages,
  tasks: (deps) => [reactionSweep(deps)],
  exportProject: exportReactions,
  tables: {
    reaction_salts: { exported: { not: 'keys' }, forgotten: 'nobody' },
    entry_reactions: { exported: 'projects.reactions', forgotten: 'cascade', trash: 'parent' },
    entry_reaction_totals: { exported: 'projects.reactions', forgotten: 'cascade', trash: 'parent' },
  },
}

/** Forgets who reacted in earlier years, and keeps how many. */
export const reactionSweep = ({ db }: Pick<TaskDeps, 'db'>): ScheduledTask => ({
  name: 'removal of the readers of earlier years',
  everyMs: SWEEPING_EVERY_MS,
  async run(stop) {
    await deleteEarlierSalts(db)
    await deleteInBatches(db, { name: 'reaction sweep', batchSize: BATCH, ...(stop && { stop }) }, (trx) =>
      foldEarlierYears(trx, BATCH),
    )
  },
})
