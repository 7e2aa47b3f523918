import { readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { CannotStart } from '#server/cannot-start.ts'
import { writeDraft } from '#server/private-file.ts'
import { SYSTEM_FOLDER } from './binaries.ts'
import { CLUSTER, databaseDirectory, OUTSIDE } from './data-directory.ts'
import { isAlive } from './processes.ts'

/** The file beside such a database that lists the data folders with a link to it. */
const DATA_FOLDERS = 'data-folders'

/** A database outside of its data folder, because the user that runs PostgreSQL can't enter that. */
export type OutsideDatabase = {
  name: string
  folder: string
  bytes: number
  /** When it was last written. Undefined for one that was never completed. */
  lastWritten: Date | undefined
  isRunning: boolean
  /** The data folders that were started with it, and whether each still has its link. Empty if that was not recorded. */
  dataFolders: { dataDir: string; isLinked: boolean }[]
}

/** Records the data folder whose link leads to a database. A copied data folder has the same link. */
export async function recordDataFolder(directory: string, dataDir: string): Promise<void> {
  const known = await readDataFolders(directory)
  if (known.includes(dataDir)) return
  const file = path.join(directory, DATA_FOLDERS)
  await rename(await writeDraft(file, JSON.stringify([...known, dataDir]), undefined), file)
}

/** Returns all databases outside of their data folder. */
export async function listOutside(system = SYSTEM_FOLDER): Promise<OutsideDatabase[]> {
  const names = (await valueOrNothing(readdir(system))) ?? []
  const databases = names.filter((name) => name.startsWith(OUTSIDE)).toSorted()
  return Promise.all(databases.map((name) => describeOutside(path.join(system, name))))
}

/** Deletes a database outside of its data folder. Throws CannotStart if there is none of that name, or if it is in use. */
export async function removeOutside(name: string, system = SYSTEM_FOLDER): Promise<OutsideDatabase> {
  const database = (await listOutside(system)).find((found) => found.name === name)
  if (!database) throw new CannotStart(`There is no database ${name} in ${system}; nothing was removed.`)
  const { isRunning, folder, dataFolders } = database
  if (isRunning) throw new CannotStart(`${folder} is running: stop its Milepost first.`)
  const linked = dataFolders.find(({ isLinked }) => isLinked)
  if (linked)
    throw new CannotStart(
      `${folder} is the database of ${linked.dataDir}: delete that folder first, if you need neither.`,
    )
  await rm(folder, { recursive: true })
  return database
}

async function describeOutside(folder: string): Promise<OutsideDatabase> {
  const cluster = path.join(folder, CLUSTER)
  const dataFolders = await readDataFolders(folder)
  return {
    name: path.basename(folder),
    folder,
    bytes: await bytesIn(folder),
    lastWritten: (await valueOrNothing(stat(path.join(cluster, 'global/pg_control'))))?.mtime,
    isRunning: await isRunning(cluster),
    dataFolders: await Promise.all(
      dataFolders.map(async (dataDir) => {
        const target = await valueOrNothing(realpath(databaseDirectory(dataDir)))
        return { dataDir, isLinked: target === (await realpath(folder)) }
      }),
    ),
  }
}

async function readDataFolders(directory: string): Promise<string[]> {
  const text = await valueOrNothing(readFile(path.join(directory, DATA_FOLDERS), 'utf8'))
  return text === undefined ? [] : (JSON.parse(text) as string[])
}

/** Returns whether the process that wrote the id file is this server. Another program may have got the same id since. */
async function isRunning(cluster: string): Promise<boolean> {
  const text = await valueOrNothing(readFile(path.join(cluster, 'postmaster.pid'), 'utf8'))
  const pid = Number.parseInt(text ?? '', 10)
  if (!(pid > 0) || !isAlive(pid)) return false
  if (process.platform !== 'linux') return true
  const folder = await valueOrNothing(realpath(`/proc/${pid}/cwd`))
  return folder === undefined || folder === (await realpath(cluster))
}

async function bytesIn(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    files
      .filter((file) => file.isFile())
      .map((file) => valueOrNothing(stat(path.join(file.parentPath, file.name)))),
  )
  return sizes.reduce((sum, size) => sum + (size?.size ?? 0), 0)
}

/** Returns undefined if a file is missing: a running database creates and removes files. */
async function valueOrNothing<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
