import { randomInt } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { ensureBuilt } from './setup/build.mjs'
import { capture, runNode } from './setup/child.mjs'
import { ensureChromium } from './setup/chromium.mjs'
import { CommandError, runCommand } from './setup/errors.mjs'
import { ensureInstalled, ensureVerificationInstalled } from './setup/install.mjs'

const VITEST = 'node_modules/vitest/vitest.mjs'

/** A program, its version option, and its Debian packages. */
const NGINX = ['nginx', '-v', 'nginx']
const FAILOVER_PROGRAMS = [
  ['patroni', '--version', 'patroni python3-etcd'],
  ['etcd', '--version', 'etcd-server'],
  ['haproxy', '-v', 'haproxy'],
  ['pgbouncer', '--version', 'pgbouncer'],
  NGINX,
]

const chromium = async () => ({ CHROMIUM_PATH: await ensureChromium() })

/** The commands that measure or stress the product: what each runs, and what it needs. */
const commands = {
  /** Measures the built product against its baselines and prints a table. */
  bench: {
    check: requireLinux,
    isBuilt: true,
    program: ['verification/bench/main.ts'],
    env: async () => ({ NODE_ENV: 'production', ...(await chromium()) }),
  },
  /** Creates and reads an entry in the installed Firefox and WebKitGTK; with names, only in these browsers. */
  browsers: { isBuilt: true, hasPackages: true, program: ['verification/browsers/run.ts'] },
  /**
   * Breaks the dependencies of a server one by one, and prints the results; with names, only these steps. TYPING_KILLS and
   * TYPING_SEED repeat the step `typing`.
   */
  chaos: { isBuilt: true, program: ['verification/chaos/run.ts'], env: chromium },
  /** Fails nodes of a replicated database under load and prints the results; with names, only these rounds. */
  failover: { check: requireFailoverPrograms, isBuilt: true, program: ['verification/failover/run.ts'] },
  /** Sends generated valid, almost valid and hostile requests to every call. FUZZ_TRIES and FUZZ_SEED repeat a run. */
  fuzz: {
    program: [VITEST, 'run', '--project', 'server', 'server/testing/fuzz'],
    env: async () => {
      const { FUZZ_TRIES = '10000', FUZZ_SEED = String(randomInt(2 ** 31)) } = process.env
      return { NODE_ENV: 'test', FUZZ_TRIES, FUZZ_SEED }
    },
  },
  /** Runs Lighthouse on the public pages as a phone; fails if a score is below the aim. */
  lighthouse: {
    isBuilt: true,
    hasPackages: true,
    program: ['verification/lighthouse/run.ts'],
    env: chromium,
  },
  /** Takes the screenshots in docs/screenshots from the built product with the demo's content. */
  screenshots: { isBuilt: true, program: ['scripts/screenshots/run.ts'], env: chromium },
  /** Runs two replicas behind nginx, kills one under load, then restarts both in turn; prints the results of the requests. */
  replicas: { check: requireNginx, isBuilt: true, program: ['verification/replicas/run.ts'], env: chromium },
}

await runCommand(async () => {
  const [name, ...args] = process.argv.slice(2)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new CommandError(`Name one of these commands: ${Object.keys(commands).join(', ')}.`)
  await command.check?.()
  await ensureInstalled()
  if (command.hasPackages) await ensureVerificationInstalled()
  if (command.isBuilt) await ensureBuilt()
  return runNode([...command.program, ...args], await command.env?.())
})

async function requireLinux() {
  if (process.platform !== 'linux')
    throw new CommandError('This reads from /proc, which only Linux has: run it on Linux.')
}

function requireNginx() {
  return requirePrograms([NGINX])
}

async function requireFailoverPrograms() {
  await requireLinux()
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const postgresql = versions.some((version) => Number(version) >= 15) ? [] : ['postgresql-15']
  await requirePrograms(FAILOVER_PROGRAMS, postgresql)
}

/** Throws an error that lists all missing packages, including known ones. */
async function requirePrograms(programs, known = []) {
  const env = { PATH: `${process.env.PATH}:/usr/sbin` }
  const missing = [...known]
  for (const [program, version, packages] of programs)
    if ((await capture(program, [version], { env })).code !== 0) missing.push(packages)
  if (missing.length > 0)
    throw new CommandError(
      `This needs programs that are not installed. On Debian: apt-get install ${missing.join(' ')}`,
    )
}
