import { readFile } from 'node:fs/promises'
import { ensureBuilt } from './setup/build.mjs'
import { runNode } from './setup/child.mjs'
import { runCommand } from './setup/errors.mjs'
import { withTakenFlags } from './setup/flags.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { supervise } from './setup/supervise.mjs'

await runCommand(async () => {
  if (process.argv.includes('--version')) {
    console.log(await ownVersion())
    return 0
  }
  await ensureInstalled()
  await ensureBuilt()
  const server = [
    '--max-semi-space-size=8',
    '--heap-growing-percent=20',
    '--no-allocation-site-pretenuring',
    'server/main.ts',
  ]
  const args = await withTakenFlags(server)
  return supervise(() => runNode(args, { NODE_ENV: 'production', MALLOC_ARENA_MAX: '2' }))
})

/** Read before anything is installed. */
async function ownVersion() {
  return JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')).version
}
