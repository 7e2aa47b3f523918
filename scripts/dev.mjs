import { runNode } from './setup/child.mjs'
import { runCommand } from './setup/errors.mjs'
import { ensureInstalled } from './setup/install.mjs'

/** Starts everything with reload: the server anew when one of its files changes, the pages in place through Vite. */
await runCommand(async () => {
  await ensureInstalled()
  const watched = ['--watch-path=server', '--watch-path=contract', '--watch-preserve-output']
  return runNode([...watched, 'server/main.ts'], { NODE_ENV: 'development' })
})
