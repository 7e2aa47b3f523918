import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { ClientConfig } from 'pg'
import type { BaseLogger } from 'pino'
import { explainFileProblem } from '#server/cannot-start.ts'
import { findBinaries } from './binaries.ts'
import { ensureCluster } from './cluster.ts'
import { homeIn, prepareHome } from './home.ts'
import type { Listening } from './listening.ts'
import { takeOwnership } from './ownership.ts'
import { readPassword } from './password.ts'
import { DATABASE, type Place } from './place.ts'
import { ensureRunning, stopServer } from './postmaster.ts'
import { serverUser } from './system-user.ts'

export type EmbeddedOptions = {
  dataDir: string
  /** How many connections the pool will hold. */
  poolSize: number
  log: BaseLogger
  /** Told in a short sentence what takes long. */
  progress: (text: string) => void
  /** Called when the database went away and could not be brought back. */
  lost: (error: unknown) => void
}

export type EmbeddedDatabase = {
  connection: ClientConfig
  /** Shuts the server down, once; close the pool first. */
  stop: () => Promise<void>
}

/** Brings up the PostgreSQL that comes with Milepost, under `dataDir`, as its only owner. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const dataDir = path.resolve(options.dataDir)
  try {
    return await open({ ...options, dataDir })
  } catch (error) {
    throw explainFileProblem(error, dataDir)
  }
}

async function open({ dataDir, poolSize, log, progress, lost }: EmbeddedOptions): Promise<EmbeddedDatabase> {
  await mkdir(dataDir, { recursive: true, mode: 0o711 })
  const user = await serverUser(homeIn(dataDir))
  const place: Place = {
    user,
    binaries: await findBinaries(user),
    home: await prepareHome(dataDir, user, log),
  }
  await ensureCluster(place, progress)
  const password = await readPassword(place)
  const reach = async () => connectionTo(await ensureRunning(place, poolSize), password)
  const { release } = await takeOwnership({ dataDir, reach, log, lost })
  let stopped: Promise<void> | undefined
  const stop = async () => {
    if (release()) await stopServer(place)
  }
  return {
    connection: await reach(),
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
  return { ...address, user: DATABASE, database: DATABASE, password }
}
