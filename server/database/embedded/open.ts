import { lstat } from 'node:fs/promises'
import path from 'node:path'
import type { ClientConfig } from 'pg'
import type { BaseLogger } from 'pino'
import { CannotStart, explainFileProblem } from '#server/cannot-start.ts'
import { makeFolder } from '#server/make-folder.ts'
import { findBinaries } from './binaries.ts'
import { clusterVersion, ensureCluster } from './cluster.ts'
import type { Listening } from './configuration.ts'
import {
  DATABASE,
  databaseDirectory,
  type Instance,
  prepareDirectory,
  readPassword,
} from './data-directory.ts'
import { recordDataFolder } from './outside.ts'
import { InUse, takeOwnership } from './ownership.ts'
import { ensureRunning, stopServer } from './postmaster.ts'
import { serverUser } from './processes.ts'
import { restoreRights } from './rights.ts'

export type EmbeddedOptions = {
  dataDir: string
  /** The maximum number of connections in the pool. */
  poolSize: number
  log: BaseLogger
  /** Receives a short sentence about a long-running step. */
  progress: (text: string) => void
  /** Called when the database was lost and could not be restarted. */
  lost: (error: unknown) => void
}

export type EmbeddedDatabase = {
  connection: ClientConfig
  /** Shuts the server down; further calls have no effect. Close the pool first. */
  stop: () => Promise<void>
}

/** Starts the bundled PostgreSQL under `dataDir`, as its only owner. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const dataDir = path.resolve(options.dataDir)
  try {
    await makeFolder(dataDir, 0o711)
    const instance = await findInstance(dataDir, options.log)
    const { directory } = instance
    if ((await lstat(databaseDirectory(dataDir))).isSymbolicLink()) {
      await recordDataFolder(directory, dataDir)
      options.progress(
        `The database is in ${directory}, outside of ${dataDir}, which only root can enter; "npm run databases" lists such databases.`,
      )
    }
    await ensureCluster(instance, options.progress)
    return await own(instance, { ...options, dataDir })
  } catch (error) {
    throw explainFileProblem(error, dataDir)
  }
}

/**
 * Connects to the database under `dataDir` while Milepost is running. If it is not, this process owns the database
 * meanwhile. The database must exist.
 */
export async function joinEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const dataDir = path.resolve(options.dataDir)
  try {
    if ((await clusterVersion(databaseDirectory(dataDir))) === undefined)
      throw new CannotStart(
        `There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL to where it is.`,
      )
    const instance = await findInstance(dataDir, options.log)
    await ensureCluster(instance, options.progress)
    try {
      return await own(instance, { ...options, dataDir })
    } catch (error) {
      if (!(error instanceof InUse)) throw error
    }
    const listening = await ensureRunning(instance, options.poolSize)
    const connection = connectionTo(listening, await readPassword(instance))
    return { connection, stop: async () => undefined }
  } catch (error) {
    throw explainFileProblem(error, dataDir)
  }
}

async function findInstance(dataDir: string, log: BaseLogger): Promise<Instance> {
  ignoreOtherServers()
  const user = await serverUser(databaseDirectory(dataDir))
  const directory = await prepareDirectory(dataDir, user)
  const instance = { user, binaries: await findBinaries(user), directory }
  await restoreRights(instance, log)
  return instance
}

async function own(
  instance: Instance,
  { dataDir, poolSize, log, lost }: EmbeddedOptions,
): Promise<EmbeddedDatabase> {
  const password = await readPassword(instance)
  const reach = async () => connectionTo(await ensureRunning(instance, poolSize), password)
  const { release, connection } = await takeOwnership({ dataDir, reach, log, lost })
  let stopped: Promise<void> | undefined
  const stop = async () => {
    if (release()) await stopServer(instance)
  }
  return {
    connection,
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

function connectionTo(listening: Listening, password: string): ClientConfig {
  const address =
    'loopbackPort' in listening
      ? { host: '127.0.0.1', port: listening.loopbackPort }
      : { host: listening.socketFolder, port: listening.port }
  return { ...address, user: DATABASE, database: DATABASE, password, ssl: false }
}

/**
 * Removes the variables that say how programs reach another PostgreSQL, such as PGSSLMODE or PGOPTIONS. The driver reads them for
 * every connection, and an option of a connection cannot be emptied.
 */
function ignoreOtherServers(): void {
  for (const name of Object.keys(process.env)) if (/^PG[A-Z]+$/.test(name)) delete process.env[name]
}
