import { createHash } from 'node:crypto'
import fs, { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { capture, NODE, npm, ROOT, withProgress } from './child.mjs'
import { CommandError, throwExplained } from './errors.mjs'
import { withLock } from './lock.mjs'

const STAMP = path.join(ROOT, 'node_modules', '.milepost-installed')
const SPACE_MB = 1_000
const UNFINISHED = 'unfinished\n'

/**
 * Not "npm ci", which removes everything first, while an update keeps unchanged packages. These options also install exactly
 * the lockfile and save nothing. The lockfile is complete, so that "npm ci" works too (`scripts/lockfile.test.ts`).
 */
const OPTIONS = [
  'install',
  '--no-save',
  '--include=dev',
  '--include=optional',
  '--ignore-scripts=false',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
]

/** Installs the packages if the lockfile has changed since they were installed. */
export async function ensureInstalled() {
  if (await isInstalled()) return
  await withLock(async () => {
    if (await isInstalled()) return
    if (!(await installedByHand())) await install()
    await writeFile(STAMP, await fingerprint()).catch((error) => throwExplained(error, 'the installation'))
  })
}

/** Installs the packages of some commands under `verification/` if they are missing or their lockfile has changed. */
export async function ensureVerificationInstalled() {
  const cwd = path.join(ROOT, 'verification', 'packages')
  const stamp = path.join(cwd, 'node_modules', '.milepost-installed')
  const wanted = await fingerprint(cwd)
  if ((await readFile(stamp, 'utf8').catch(() => undefined)) === wanted) return
  const { program, first, shell } = npm()
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { code, output } = await withProgress('Installing the packages of this command', () =>
    capture(program, [...first, ...options], { shell, cwd }),
  )
  if (code !== 0)
    throw new CommandError(`npm could not install the packages of this command:\n${output.trim()}`)
  await writeFile(stamp, wanted)
}

async function isInstalled() {
  const stamp = await readFile(STAMP, 'utf8').catch(() => undefined)
  return stamp === (await fingerprint()) && (await exists(NODE))
}

async function fingerprint(folder = ROOT) {
  const lockfile = await readFile(path.join(folder, 'package-lock.json'))
  const hash = createHash('sha256').update(lockfile).digest('hex')
  return `${process.platform} ${process.arch} ${hash}\n`
}

/** Returns whether a manual "npm install" has installed exactly the lockfile. */
async function installedByHand() {
  if (!(await exists(NODE)) || (await readFile(STAMP, 'utf8').catch(() => '')) === UNFINISHED) return false
  const [wanted, present] = await Promise.all(
    ['package-lock.json', 'node_modules/.package-lock.json'].map(readPackages),
  )
  if (!wanted || !present) return false
  delete wanted['']
  const fits = ([name, { version, integrity }]) =>
    wanted[name]?.version === version && wanted[name]?.integrity === integrity
  const there = ([name, { optional, peer }]) => optional || peer || name in present
  return Object.entries(present).every(fits) && Object.entries(wanted).every(there)
}

async function readPackages(file) {
  const text = await readFile(path.join(ROOT, file), 'utf8').catch(() => undefined)
  return text && JSON.parse(text).packages
}

async function install() {
  await requireDiskSpace()
  await markUnfinished().catch((error) => throwExplained(error, 'the installation'))
  const { program, first, shell } = npm()
  const { code, output } = await withProgress('Installing packages (about a minute)', () =>
    capture(program, [...first, ...OPTIONS], { shell }),
  )
  if (code === 127)
    throw new CommandError(
      'npm was not found, and Milepost installs its packages with it: install npm (it comes with Node.js from nodejs.org) and try again.',
    )
  if (code !== 0) {
    console.error(output.trim().split('\n').slice(-15).join('\n'))
    throwExplained(output, 'the installation')
  }
  if (!(await exists(NODE)))
    throw new CommandError(
      `npm installed the packages, but not the Node.js 24 for this system (${process.platform} ${process.arch}): check that its package for it can be installed.`,
    )
}

/** Checks the free disk space, because npm and the scripts of packages rarely report a full disk as such. */
async function requireDiskSpace() {
  if (await exists(NODE)) return
  // Not a named import, so that a Node too old to have it still reaches the error message about its version.
  const { bavail, bsize } = await fs.statfs(ROOT)
  const free = Math.floor((bavail * bsize) / 1e6)
  if (free < SPACE_MB)
    throw new CommandError(
      `Milepost's packages need about ${SPACE_MB} MB and the disk that holds ${ROOT} has ${free} left: free some space and try again.`,
    )
}

/** Leaves a marker by which the next run detects an interrupted installation, and starts over. */
async function markUnfinished() {
  const stamp = await readFile(STAMP, 'utf8').catch(() => undefined)
  const folder = path.dirname(STAMP)
  if (stamp === UNFINISHED || !(await exists(NODE))) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(STAMP, UNFINISHED)
}

const exists = (file) =>
  access(file).then(
    () => true,
    () => false,
  )
