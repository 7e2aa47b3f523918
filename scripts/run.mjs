import { runNode } from './setup/child.mjs'
import { CommandError, runCommand } from './setup/errors.mjs'
import { ensureInstalled } from './setup/install.mjs'

/** Runs a script of the project with its own Node: `node scripts/run.mjs scripts/demo.ts --projects 3`. */
await runCommand(async () => {
  const [script, ...args] = process.argv.slice(2)
  if (!script) throw new CommandError('Name the script to run, as in: node scripts/run.mjs scripts/demo.ts')
  await ensureInstalled()
  return runNode([script, ...args])
})
