import { hash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { PoolConfig } from 'pg'
import { migrate } from '#server/database/migrate.ts'
import { emptyDatabase, filledTemplate } from '#server/database/testing.ts'
import { allRows, findInconsistencies } from '#server/database/testing-contents.ts'
import { levels, migrateWithSamples, SAMPLE_FILE, SAMPLE_IMAGE } from '#server/database/testing-samples.ts'
import { keysOfFile } from '#server/files/storage-keys.ts'
import type { Files } from '#server/platform/storage/files.ts'
import { openFolder } from '#server/platform/storage/folder.ts'
import { verifyArchive } from './archive-reader.ts'
import { type BackupDeps, backUp } from './backup.ts'
import { createProgress } from './progress.ts'
import { type RestoreDeps, restore } from './restore.ts'

/** A temporary directory with helpers for databases and archives, which are deleted with it. */
export async function backupFixture() {
  const folder = await mkdtemp(path.join(tmpdir(), 'milepost-backup-'))
  const closers: (() => Promise<void>)[] = []
  /** Template databases of earlier levels, used only for copying. */
  const filled = new Map<string | undefined, string>()
  let archives = 0
  return {
    folder,
    /** Returns the path of an archive that does not exist yet. */
    archive: () => path.join(folder, `${++archives}.tar.gz`),
    /** Opens a new file store. */
    files: () => openFolder(path.join(folder, `files-${++archives}`)),
    async empty(): Promise<PoolConfig> {
      const { config, close } = await emptyDatabase()
      closers.push(close)
      return config
    },
    /** Returns a database of the given or the newest level with rows in every table. */
    async filled(level = levels.at(-1)): Promise<PoolConfig> {
      const known = level === levels.at(-1) ? await filledTemplate() : filled.get(level)
      const { name, config, close } = await emptyDatabase(known)
      closers.push(close)
      if (known) return config
      await migrateWithSamples(config, level)
      filled.set(level, name)
      return this.filled(level)
    },
    async close() {
      await Promise.all(closers.map((close) => close()))
      await rm(folder, { recursive: true })
    },
  }
}

const quiet = () => createProgress('', () => undefined)
const never = () => new AbortController().signal

export const backUpFrom = (
  config: PoolConfig,
  files: Files,
  file: string,
  instead: Partial<BackupDeps> = {},
) =>
  backUp(
    { config, files, secret: undefined, version: '0.0.0', progress: quiet(), stop: never(), ...instead },
    file,
  )

export async function restoreInto(
  config: PoolConfig,
  files: Files,
  file: string,
  instead: Partial<RestoreDeps> = {},
) {
  const manifest = await verifyArchive(file, { progress: quiet(), stop: never() })
  const deps = {
    config,
    openFiles: async () => files,
    storeSecret: async () => undefined,
    progress: quiet(),
    stop: never(),
    ...instead,
  }
  return restore(deps, { file, manifest })
}

/** Returns the rows of a database at this level, and of two databases restored from its archive: one empty, one migrated. */
export async function restoredFrom(
  bench: Awaited<ReturnType<typeof backupFixture>>,
  files: Files,
  level: string,
) {
  const from = await bench.filled(level)
  const [archive, fresh, migrated] = [bench.archive(), await bench.empty(), await bench.empty()]
  await backUpFrom(from, files, archive)
  await migrate(migrated)
  const original = await allRows(from)
  const copies = []
  for (const to of [fresh, migrated]) {
    await restoreInto(to, await bench.files(), archive)
    const rows = await allRows(to)
    await migrate(to)
    copies.push({ rows, inconsistencies: await findInconsistencies(to) })
  }
  return { copies, expected: [original, original].map((rows) => ({ rows, inconsistencies: [] })) }
}

/** The sample file's original is larger than one part of an archive. */
const image = { id: SAMPLE_IMAGE, attempt: 0, widths: [800, 2400], animated: false, type: 'image/webp' }
const sampleKeys = [...keysOfFile(image), `${SAMPLE_FILE}480`, `${SAMPLE_FILE}widest`]
const ORIGINAL = `${SAMPLE_FILE}original`
const ORIGINAL_SIZE = 9_000_001

/** Puts the images and files of the samples into a store. */
export async function putSampleFiles(files: Files): Promise<void> {
  for (const key of sampleKeys) await files.put(key, Buffer.from(`the bytes of ${key}`), 'image/webp')
  await files.put(ORIGINAL, Buffer.alloc(ORIGINAL_SIZE, 'a long file'), 'application/octet-stream')
}

/** Returns the files of the samples: null for a missing one, a hash for the long one. */
export const sampleFiles = (files: Files) =>
  Promise.all(
    [...sampleKeys, ORIGINAL].map(async (key) => {
      const found = await files.read(key)
      const bytes = found && (await buffer(found.bytes))
      return bytes && (bytes.length < 1_000 ? bytes.toString() : hash('sha256', bytes))
    }),
  )
