import { randomInt } from 'node:crypto'
import { ensureBuilt } from './setup/build.mjs'
import { capture, runNode } from './setup/child.mjs'
import { ensureChromium } from './setup/chromium.mjs'
import { CommandError, runCommand } from './setup/errors.mjs'
import { ensureInstalled } from './setup/install.mjs'

const VITEST = 'node_modules/vitest/vitest.mjs'

const chromium = async () => ({ CHROMIUM_PATH: await ensureChromium() })

/** The commands that measure or stress the product: what each runs, and what it needs. */
const commands = {
  /** Measures the built product against its yardsticks and prints a table. */
  bench: {
    check: requireLinux,
    isBuilt: true,
    program: ['bench/main.ts'],
    env: async () => ({ NODE_ENV: 'production', ...(await chromium()) }),
  },
  /** Writes and reads an entry in the installed Firefox and WebKitGTK; with names, in these browsers only. */
  browsers: { isBuilt: true, program: ['scripts/browsers/run.ts'] },
  /** Breaks what a server depends on, one thing after the other, and prints the results; with names, these steps only. */
  chaos: { isBuilt: true, program: ['scripts/chaos/run.ts'] },
  /** Sends generated valid, almost valid and hostile requests to every call; FUZZ_TRIES and FUZZ_SEED repeat a run. */
  fuzz: {
    program: [VITEST, 'run', '--project', 'server', 'server/testing/fuzz'],
    env: async () => {
      const { FUZZ_TRIES = '10000', FUZZ_SEED = String(randomInt(2 ** 31)) } = process.env
      return { NODE_ENV: 'test', FUZZ_TRIES, FUZZ_SEED }
    },
  },
  /** Runs Lighthouse on the public pages as a phone sees them; fails when a score is below the aim. */
  lighthouse: { isBuilt: true, program: ['scripts/lighthouse/run.ts'], env: chromium },
  /** Takes the pictures of the screens in docs/screenshots, of the built product with the demo's content. */
  screenshots: { isBuilt: true, program: ['scripts/screenshots/run.ts'], env: chromium },
  /** Runs two replicas behind nginx, kills one under load, then restarts both in turn; prints the results of the requests. */
  replicas: { check: requireNginx, isBuilt: true, program: ['scripts/replicas/run.ts'], env: chromium },
}

await runCommand(async () => {
  const [name, ...args] = process.argv.slice(2)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new CommandError(`Name one of these commands: ${Object.keys(commands).join(', ')}.`)
  await command.check?.()
  await ensureInstalled()
  if (command.isBuilt) await ensureBuilt()
  return runNode([...command.program, ...args], await command.env?.())
})

async function requireLinux() {
  if (process.platform !== 'linux')
    throw new CommandError('The measures are read from /proc, which only Linux has: run this on Linux.')
}

async function requireNginx() {
  const { code } = await capture('nginx', ['-v'], { env: { PATH: `${process.env.PATH}:/usr/sbin` } })
  if (code !== 0)
    throw new CommandError(
      'This needs nginx, which is not installed: install it from your system (apt-get install nginx).',
    )
}
