import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { v7 as uuidv7 } from 'uuid'
import {
  IMPORT_PART_MAX,
  type ImportChoices,
  type ImportRecord,
  type ImportStart,
  type ImportState,
} from '#contract/imports.ts'
import { limitText } from '#contract/parts/sizes.ts'
import type { AppDeps } from '#server/deps.ts'
import { receive } from '#server/files/incoming.ts'
import { type Caller, clientOf } from '#server/platform/api/calls.ts'
import { AppError, conflict, invalid, notFound } from '#server/platform/api/errors.ts'
import { siteOf } from '#server/platform/network.ts'
import { listItems } from './item-store.ts'
import { partKey, removeParts } from './parts.ts'
import { presentImport } from './present.ts'
import {
  countOpen,
  findBegun,
  findImport,
  type ImportRow,
  insertImport,
  listImportsOf,
  lockImport,
  removeImport,
  updateImport,
} from './store.ts'

/** How many imports of a person may be open at once. */
const OPEN_MAX = 2

/**
 * Begins an import, or returns that of the same file whose bytes have not all arrived, or which has a plan. Throws `too_large`, `conflict`
 * or `quota_exceeded`.
 */
export async function createImport(deps: AppDeps, caller: Caller, start: ImportStart): Promise<ImportRecord> {
  const { userId } = caller
  requireOwnProjects(caller)
  const { quota } = await deps.quotas.readAccount(deps.db, userId)
  if (start.size > quota)
    throw new AppError(
      'too_large',
      `“${start.name}” is larger than the ${limitText(quota)} that an account may store here. Import it in parts, or ask the operator of this server for more.`,
    )
  return deps.db.transaction().execute(async (trx) => {
    const open = await countOpen(trx, userId)
    const begun = await findBegun(trx, { ...start, userId })
    if (begun) return presentImport(begun)
    if (open.count >= OPEN_MAX)
      throw conflict(
        `${OPEN_MAX} of your imports have not ended. Finish or cancel one of them first, on the page ‘Import’.`,
      )
    if (open.bytes + start.size > quota)
      throw conflict(
        `“${start.name}” and the archive of your import that has not ended are together larger than ${limitText(quota)}. Finish or cancel that one first, on the page ‘Import’.`,
      )
    await deps.quotas.requireInstanceRoom(trx, open.bytesOfAll + start.size)
    const network = siteOf(clientOf(caller).network)
    const added = { ...start, id: uuidv7(), userId, network, now: deps.clock() }
    return presentImport(await insertImport(trx, added))
  })
}

/** An access token that is limited to some projects creates no others, and neither reads nor undoes what an import did in others. */
function requireOwnProjects({ grant }: Caller) {
  if (grant?.projectIds)
    throw new AppError(
      'insufficient_scope',
      'This access token is limited to some projects and cannot import',
    )
}

/**
 * Stores a part of an archive. One that was stored before is ignored, so that it may be sent again. The last one begins the
 * inspection. Throws `not_found`, `conflict` for another part than the next, and the errors of `receive`.
 */
export async function sendImportPart(
  deps: AppDeps,
  caller: Caller,
  { importId, offset }: { importId: string; offset: number },
  bytes: Readable,
): Promise<ImportRecord> {
  const before = await requireImport(deps, caller, importId)
  const { received, size } = before
  if (before.state !== 'uploading' || offset < received) {
    bytes.resume()
    return presentImport(before)
  }
  if (offset > received) throw conflict(`The next part begins at ${received}.`)
  const expected = Math.min(IMPORT_PART_MAX, size - received)
  const whole = { picture: expected, video: expected, other: expected, perEntry: 0 }
  const part = await receive(
    bytes,
    clientOf(caller),
    { name: before.name, size: expected, limits: whole },
    { folder: deps.files.incoming, log: deps.log },
  )
  try {
    if ((await stat(part.file)).size !== expected)
      throw invalid([{ path: '', message: 'The part is incomplete.' }])
    await deps.files.putFile(partKey(importId, before.parts), part.file, 'application/octet-stream')
  } finally {
    await part.drop()
  }
  return change(deps, caller, importId, (row) => {
    if (row.received !== received) return {}
    const isWhole = received + expected === size
    return {
      received: received + expected,
      parts: row.parts + 1,
      ...(isWhole && { state: 'inspecting' as const }),
    }
  })
}

async function requireImport({ db }: AppDeps, caller: Caller, importId: string): Promise<ImportRow> {
  requireOwnProjects(caller)
  const row = await findImport(db, importId, caller.userId)
  if (!row) throw notFound('Import')
  return row
}

type Change = Parameters<typeof updateImport>[2]

function change(
  deps: AppDeps,
  caller: Caller,
  importId: string,
  changeOf: (row: ImportRow, trx: Parameters<typeof lockImport>[0]) => Change | Promise<Change>,
): Promise<ImportRecord> {
  requireOwnProjects(caller)
  return deps.db.transaction().execute(async (trx) => {
    const row = await lockImport(trx, importId, caller.userId)
    if (!row) throw notFound('Import')
    const changed = await changeOf(row, trx)
    if (Object.keys(changed).length === 0) return presentImport(row)
    return presentImport((await updateImport(trx, importId, changed, deps.clock())) ?? row)
  })
}

export const readImport = async (deps: AppDeps, caller: Caller, importId: string): Promise<ImportRecord> =>
  presentImport(await requireImport(deps, caller, importId))

export async function listImports({ db }: AppDeps, caller: Caller): Promise<ImportRecord[]> {
  requireOwnProjects(caller)
  return (await listImportsOf(db, caller.userId)).map(presentImport)
}

/** Begins to create what the plan shows, or goes on after a pause with the choices that were made. Throws `not_found` or `conflict`. */
export async function runImport(
  deps: AppDeps,
  caller: Caller,
  importId: string,
  choices: ImportChoices,
): Promise<ImportRecord> {
  return change(deps, caller, importId, ({ state }) => {
    if (state === 'running') return {}
    if (state === 'paused') return { state: 'running', problem: null }
    if (state !== 'planned') throw conflict(WHY_NOT[state] ?? 'This import cannot be run now.')
    return { state: 'running', choices }
  })
}

const WHY_NOT: Partial<Record<ImportState, string>> = {
  uploading: 'The archive has not arrived yet.',
  inspecting: 'The archive is still being inspected.',
  done: 'This import is done.',
  undone: 'This import was undone. Bring the archive again.',
}

/** Begins to delete what an import has created. Throws `not_found` or `conflict`. */
export async function undoImport(deps: AppDeps, caller: Caller, importId: string): Promise<ImportRecord> {
  return change(deps, caller, importId, async ({ state, undo_until: until }, trx) => {
    if (state === 'undoing' || state === 'undone') return {}
    const isEnded = state === 'done' || state === 'paused' || state === 'failed'
    if (!isEnded || (await listItems(trx, importId)).length === 0) throw conflict('There is nothing to undo.')
    if (until && until < deps.clock())
      throw conflict('The time in which this import could be undone is over.')
    return { state: 'undoing' }
  })
}

/** Removes an import that has created nothing, with its archive. Throws `not_found` or `conflict`. */
export async function deleteImport(deps: AppDeps, caller: Caller, importId: string): Promise<void> {
  requireOwnProjects(caller)
  const removed = await deps.db.transaction().execute(async (trx) => {
    const row = await lockImport(trx, importId, caller.userId)
    if (!row) throw notFound('Import')
    const isBusy = row.state === 'running' || row.state === 'undoing'
    if (isBusy || (await listItems(trx, importId)).length > 0)
      throw conflict('This import has created something. Undo it instead.')
    await removeImport(trx, importId)
    return row
  })
  await removeParts(deps, removed)
}
