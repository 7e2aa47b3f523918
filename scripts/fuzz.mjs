import { randomInt } from 'node:crypto'
import { runNode } from './setup/child.mjs'
import { runCommand } from './setup/errors.mjs'
import { ensureInstalled } from './setup/install.mjs'

const TRIES = '10000'

/** Sends generated valid, almost valid and hostile requests to every call of the API: `npm run fuzz`; FUZZ_TRIES and FUZZ_SEED repeat a run. */
await runCommand(async () => {
  await ensureInstalled()
  const { FUZZ_TRIES = TRIES, FUZZ_SEED = String(randomInt(2 ** 31)) } = process.env
  const env = { NODE_ENV: 'test', FUZZ_TRIES, FUZZ_SEED }
  return runNode(['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', 'server/testing/fuzz'], env)
})
