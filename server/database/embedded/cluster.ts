import { randomBytes } from 'node:crypto'
import { appendFile, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { CannotStart, diskFull } from '#server/cannot-start.ts'
import { flushFolder, readOrMakeSecret } from '#server/private-file.ts'
import {
  CLUSTER,
  CONFIGURATION,
  DATABASE,
  type Instance,
  inCluster,
  PASSWORD_FILE,
} from './data-directory.ts'
import { DISK_FULL, lastError } from './postmaster.ts'
import { isAlive, run } from './processes.ts'
import { withNamedUser } from './rights.ts'

/** The clusters that this process is creating. */
const drafts = new Set<string>()

/** Creates the cluster if it does not exist. An interrupted creation leaves nothing that looks like a cluster. */
export async function ensureCluster(instance: Instance, progress: (text: string) => void): Promise<void> {
  const version = await clusterVersion(instance.directory)
  if (version === instance.binaries.major) return
  if (version !== undefined)
    throw new CannotStart(
      `The database in ${instance.directory} was made by PostgreSQL ${version} and this Milepost brings PostgreSQL ${instance.binaries.major}: start the Milepost version that made it, export your data, and begin with an empty data folder.`,
    )
  progress('Preparing the database (only at the first start) …')
  await removeAbandoned(instance)
  const draft = `${CLUSTER}.new-${process.pid}-${randomBytes(4).toString('hex')}`
  drafts.add(draft)
  try {
    await withNamedUser(instance, (env) => initialise(instance, draft, env))
    await publish(instance, draft)
  } finally {
    drafts.delete(draft)
  }
}

/** Returns the PostgreSQL major version of the cluster in this directory; undefined if there is none. */
export async function clusterVersion(directory: string): Promise<string | undefined> {
  const text = await readFile(path.join(directory, CLUSTER, 'PG_VERSION'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    },
  )
  return text?.trim()
}

async function initialise(instance: Instance, draft: string, env: Record<string, string>) {
  const { directory, user, binaries } = instance
  const password = await readOrMakeSecret(path.join(directory, PASSWORD_FILE), user)
  const folder = path.join(directory, draft)
  const options = [
    '--pgdata',
    draft,
    '--username=postgres',
    `--pwfile=${PASSWORD_FILE}`,
    '--auth=scram-sha-256',
  ]
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const context = { as: user, cwd: directory, env }
  requireAccess(await run(binaries.initdb, [...options, ...locale, '--data-checksums'], context), directory)
  await appendFile(path.join(folder, 'postgresql.conf'), `\ninclude_if_exists = '${CONFIGURATION}'\n`)
  const statements = [
    `create role ${DATABASE} login createdb password '${password}'`,
    `create database ${DATABASE} owner ${DATABASE}`,
  ]
  const input = `${statements.join('\n')}\n`
  const single = ['--single', '-D', draft, '-c', 'exit_on_error=on', 'postgres']
  requireAccess(await run(binaries.postgres, single, { ...context, input }), directory)
}

function requireAccess({ code, output }: { code: number | null; output: string }, directory: string) {
  if (code === 0) return
  const reason = lastError(output)
  if (reason === DISK_FULL) throw diskFull(directory)
  throw new CannotStart(`The database in ${directory} could not be made; PostgreSQL says: ${reason}.`, {
    cause: output,
  })
}

async function publish(instance: Instance, draft: string) {
  try {
    await rename(path.join(instance.directory, draft), inCluster(instance))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    await rm(path.join(instance.directory, draft), { recursive: true, force: true })
    const madeByAnother = code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM'
    if (!madeByAnother || (await clusterVersion(instance.directory)) === undefined) throw error
  }
  await flushFolder(instance.directory)
}

async function removeAbandoned({ directory }: Instance) {
  for (const name of await readdir(directory)) {
    const maker = /^cluster\.new-(\d+)/.exec(name)?.[1]
    if (!maker || drafts.has(name)) continue
    // A leftover can have our own process id: in a container it is always the same.
    if (Number(maker) === process.pid || !isAlive(Number(maker)))
      await rm(path.join(directory, name), { recursive: true, force: true })
  }
}
