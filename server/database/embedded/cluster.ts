import { randomBytes } from 'node:crypto'
import { appendFile, readdir, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { CannotStart, diskFull } from '#server/cannot-start.ts'
import { flushFolder, readOrMakeSecret } from '#server/private-file.ts'
import { CLUSTER, CONFIGURATION, DATABASE, inCluster, PASSWORD_FILE, type Place } from './data-directory.ts'
import { isAlive, run } from './processes.ts'
import { DISK_FULL, lastComplaint } from './startup-errors.ts'

/** What this process is making just now. */
const drafts = new Set<string>()

/** Makes the cluster unless it is there. A start that is killed meanwhile leaves nothing that looks like one. */
export async function ensureCluster(place: Place, progress: (text: string) => void): Promise<void> {
  const version = await clusterVersion(place.home)
  if (version === place.binaries.major) return
  if (version !== undefined)
    throw new CannotStart(
      `The database in ${place.home} was made by PostgreSQL ${version} and this Milepost brings PostgreSQL ${place.binaries.major}: start the Milepost version that made it, export your data, and begin with an empty data folder.`,
    )
  progress('Preparing the database (only at the first start) …')
  await removeAbandoned(place)
  const draft = `${CLUSTER}.new-${process.pid}-${randomBytes(4).toString('hex')}`
  drafts.add(draft)
  try {
    await initialise(place, draft)
    await publish(place, draft)
  } finally {
    drafts.delete(draft)
  }
}

/** The major version that made the cluster in this home; undefined where there is none. */
export async function clusterVersion(home: string): Promise<string | undefined> {
  const text = await readFile(path.join(home, CLUSTER, 'PG_VERSION'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    },
  )
  return text?.trim()
}

async function initialise(place: Place, draft: string) {
  const { home, user, binaries } = place
  const password = await readOrMakeSecret(path.join(home, PASSWORD_FILE), user)
  const folder = path.join(home, draft)
  const options = [
    '--pgdata',
    draft,
    '--username=postgres',
    `--pwfile=${PASSWORD_FILE}`,
    '--auth=scram-sha-256',
  ]
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  requireAccess(
    await run(binaries.initdb, [...options, ...locale, '--data-checksums'], { as: user, cwd: home }),
    home,
  )
  await appendFile(path.join(folder, 'postgresql.conf'), `\ninclude_if_exists = '${CONFIGURATION}'\n`)
  const statements = [
    `create role ${DATABASE} login createdb password '${password}'`,
    `create database ${DATABASE} owner ${DATABASE}`,
  ]
  const input = `${statements.join('\n')}\n`
  const single = ['--single', '-D', draft, '-c', 'exit_on_error=on', 'postgres']
  requireAccess(await run(binaries.postgres, single, { as: user, cwd: home, input }), home)
}

function requireAccess({ code, output }: { code: number | null; output: string }, home: string) {
  if (code === 0) return
  const complaint = lastComplaint(output)
  if (complaint === DISK_FULL) throw diskFull(home)
  throw new CannotStart(`The database in ${home} could not be made; PostgreSQL says: ${complaint}.`, {
    cause: output,
  })
}

async function publish(place: Place, draft: string) {
  try {
    await rename(path.join(place.home, draft), inCluster(place))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    await rm(path.join(place.home, draft), { recursive: true, force: true })
    const madeByAnother = code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM'
    if (!madeByAnother || (await clusterVersion(place.home)) === undefined) throw error
  }
  await flushFolder(place.home)
}

async function removeAbandoned({ home }: Place) {
  for (const name of await readdir(home)) {
    const maker = /^cluster\.new-(\d+)/.exec(name)?.[1]
    if (!maker || drafts.has(name)) continue
    // One of our own number that is not ours was left behind: in a container that number is always the same.
    if (Number(maker) === process.pid || !isAlive(Number(maker)))
      await rm(path.join(home, name), { recursive: true, force: true })
  }
}
