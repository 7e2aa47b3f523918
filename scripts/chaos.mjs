import { ensureBuilt } from './setup/build.mjs'
import { runNode } from './setup/child.mjs'
import { runCommand } from './setup/errors.mjs'
import { ensureInstalled } from './setup/install.mjs'

/** Breaks what a server depends on, one thing after the other, and prints the results; with names, these steps only. */
await runCommand(async () => {
  await ensureInstalled()
  await ensureBuilt()
  return runNode(['scripts/chaos/run.ts', ...process.argv.slice(2)])
})
