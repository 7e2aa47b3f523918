import { ensureBuilt } from './setup/build.mjs'
import { runNode } from './setup/child.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { command } from './setup/stop.mjs'
import { supervise } from './setup/supervise.mjs'

await command(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const server = ['--max-semi-space-size=8', '--heap-growing-percent=50', 'server/main.ts']
  return supervise(() => runNode(server, { NODE_ENV: 'production' }))
})
