import { runNode } from './setup/child.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { command } from './setup/stop.mjs'

/** Starts everything with reload: the server anew when one of its files changes, the pages in place through Vite. */
await command(async () => {
  await ensureInstalled()
  const watched = ['--watch-path=server', '--watch-path=contract', '--watch-preserve-output']
  return runNode([...watched, 'server/main.ts'], { NODE_ENV: 'development' })
})
