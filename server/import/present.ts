import type { ImportRecord } from '#contract/imports.ts'
import type { ImportRow } from './store.ts'

/** What plans lack that were made by an earlier version of Milepost. */
const LACKING = { elsewhere: 0 }

export const presentImport = (row: ImportRow): ImportRecord => ({
  _id: row.id,
  name: row.name,
  size: row.size,
  received: row.received,
  state: row.state,
  problem: row.problem,
  done: row.done,
  plan: row.plan && { ...LACKING, ...row.plan },
  report: row.report,
  undoUntil: row.undo_until?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
})
