import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ImportChoices, ImportRecord } from '#contract/imports.ts'
import { writeZip } from '#server/export/zip.ts'
import type { TestApp } from '#server/testing/app.ts'
import type { Sender } from '#server/testing/client.ts'
import { convertHere } from './convert-task.ts'
import type { FetchPicture } from './elsewhere/fetch.ts'
import { importWork, type OpenReader } from './work.ts'

/** Returns a ZIP archive of these files. */
export function zipOf(
  files: { [path: string]: string | Buffer },
  mtime = new Date('2026-02-03T04:05:06Z'),
): Promise<Buffer> {
  async function* entries() {
    for (const [path, content] of Object.entries(files)) {
      const bytes = Buffer.from(content)
      yield { path, mtime, size: bytes.length, bytes: Readable.from([bytes]), isCompressed: false }
    }
  }
  return buffer(Readable.from(writeZip(entries())))
}

/** Much faster than a child process. */
export const readHere: OpenReader = () => ({ run: (task) => convertHere(task), close: async () => undefined })

/** Brings archives like a person. `openReader` undefined: without a child process. */
export function importer(
  t: TestApp,
  openReader: OpenReader | undefined = readHere,
  fetchPicture?: FetchPicture,
) {
  const work = () => importWork(t.deps, openReader, fetchPicture && (() => fetchPicture)).run()
  const read = (as: Sender, { _id: importId }: ImportRecord) =>
    t.call('readImport', { params: { importId } }, { as })

  /** Sends an archive and returns its plan. */
  async function plan(as: Sender, name: string, archive: Buffer): Promise<ImportRecord> {
    const begun = await t.call('createImport', { body: { name, size: archive.length } }, { as })
    await send(as, begun, archive)
    await work()
    return read(as, begun)
  }

  async function send(as: Sender, { _id }: ImportRecord, bytes: Buffer, offset = 0) {
    const response = await t.app.inject({
      method: 'PUT',
      url: `/api/imports/${_id}/parts/${offset}`,
      headers: { ...as.headers, 'content-type': 'application/octet-stream' },
      payload: bytes,
    })
    return response.json()
  }

  const start = (as: Sender, { _id: importId }: ImportRecord, choices: Partial<ImportChoices> = {}) =>
    t.call('runImport', { params: { importId }, body: choices }, { as })

  /** Brings an archive and returns the import with its report. */
  async function bring(as: Sender, name: string, archive: Buffer, choices: Partial<ImportChoices> = {}) {
    const planned = await plan(as, name, archive)
    await start(as, planned, choices)
    await work()
    return read(as, planned)
  }

  async function undo(as: Sender, brought: ImportRecord) {
    await t.call('undoImport', { params: { importId: brought._id } }, { as })
    await work()
    return read(as, brought)
  }

  return { work, read, plan, send, start, bring, undo }
}
