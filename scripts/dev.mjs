import { runNode } from './setup/child.mjs'
import { runCommand } from './setup/errors.mjs'
import { ensureInstalled } from './setup/install.mjs'

/** Starts the server with reload: it restarts when one of its files changes, and Vite updates the pages in place. */
await runCommand(async () => {
  await ensureInstalled()
  await runNode(['scripts/copy-diagrams.ts'])
  const watched = ['--watch-path=server', '--watch-path=contract', '--watch-preserve-output']
  return runNode([...watched, 'server/main.ts'], { NODE_ENV: 'development' })
})
