import { ensureBuilt } from './setup/build.mjs'
import { runNode } from './setup/child.mjs'
import { ensureChromium } from './setup/chromium.mjs'
import { CommandError, runCommand } from './setup/errors.mjs'
import { ensureInstalled } from './setup/install.mjs'

/** Measures the built product against its yardsticks and prints a table. */
await runCommand(async () => {
  if (process.platform !== 'linux')
    throw new CommandError('The measures are read from /proc, which only Linux has: run this on Linux.')
  await ensureInstalled()
  await ensureBuilt()
  const env = { NODE_ENV: 'production', CHROMIUM_PATH: await ensureChromium() }
  return runNode(['bench/main.ts', ...process.argv.slice(2)], env)
})
