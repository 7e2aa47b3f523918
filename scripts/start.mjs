import { ensureBuilt } from './setup/build.mjs'
import { runNode } from './setup/child.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { command } from './setup/stop.mjs'

await command(async () => {
  await ensureInstalled()
  await ensureBuilt()
  return runNode(['server/main.ts'], { NODE_ENV: 'production' })
})
