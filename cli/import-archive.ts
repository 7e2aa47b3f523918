import { open } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { IMPORT_PART_MAX, type ImportRecord } from '#contract/imports.ts'
import type { Client } from './client.ts'
import { refused } from './failure.ts'

const PAUSE_MS = 1_000

/** Sends an archive, or the rest of it, and waits for the plan. `say` is told of the progress. */
export async function planArchive(
  client: Client,
  file: string,
  say: (line: string) => void,
): Promise<ImportRecord> {
  const handle = await open(file).catch((error: unknown) => {
    throw refused(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
  })
  try {
    const { size, mtimeMs } = await handle.stat()
    const start = { name: path.basename(file), size, fingerprint: String(Math.trunc(mtimeMs)) }
    let current: ImportRecord = await client.call('createImport', start)
    while (current.state === 'uploading') {
      const { buffer, bytesRead } = await handle.read(
        Buffer.alloc(Math.min(IMPORT_PART_MAX, size - current.received)),
        0,
        undefined,
        current.received,
      )
      const response = await client.send(`/api/imports/${current._id}/parts/${current.received}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream' },
        body: new Uint8Array(buffer.buffer, 0, bytesRead),
      })
      current = (await response.json()) as ImportRecord
      say(`${Math.floor((current.received / size) * 100)} % sent`)
    }
    return await settled(client, current)
  } finally {
    await handle.close()
  }
}

/** Waits until the server has done what it is doing with an import. Throws a Failure if that has failed. */
export async function settled(client: Client, begun: ImportRecord): Promise<ImportRecord> {
  let current = begun
  while (['inspecting', 'running', 'undoing'].includes(current.state)) {
    await setTimeout(PAUSE_MS)
    current = await client.call('readImport', { importId: current._id })
  }
  if (current.problem !== null) throw refused(current.problem)
  return current
}

/** Describes a plan or a report in lines. */
export function linesOfImport({ plan, report }: ImportRecord): string[] {
  const counts = report?.made ?? plan?.counts
  if (!counts) return []
  const { projects, milestones, entries, files } = counts
  const here = report?.here ?? plan?.here ?? 0
  return [
    `${report ? 'Imported' : 'Found'}: ${counted(projects, 'project')}, ${counted(milestones, 'milestone')}, ${counted(entries, 'entry', 'entries')}, ${counted(files, 'file')}`,
    ...(!report && plan && plan.elsewhere > 0
      ? [`On other websites: ${counted(plan.elsewhere, 'picture')}, which --pictures copies`]
      : []),
    ...(here > 0 ? [`Already here: ${counted(here, 'entry', 'entries')}`] : []),
    ...(report?.problems ?? plan?.problems ?? []).flatMap(({ reason, count, paths }) => [
      `${count} × ${reason}:`,
      ...paths.slice(0, 20).map((one) => `  ${one}`),
      ...(count > 20 ? [`  and ${count - 20} more`] : []),
    ]),
  ]
}

const counted = (count: number, one: string, several = `${one}s`) => `${count} ${count === 1 ? one : several}`
