import { ensureBuilt } from './setup/build.mjs'
import { runNode } from './setup/child.mjs'
import { ensureChromium } from './setup/chromium.mjs'
import { runCommand } from './setup/errors.mjs'
import { ensureInstalled } from './setup/install.mjs'

/** Runs Lighthouse on the public pages of the built product as a phone sees them; fails when a score is below the aim. */
await runCommand(async () => {
  await ensureInstalled()
  await ensureBuilt()
  return runNode(['scripts/lighthouse/run.ts'], { CHROMIUM_PATH: await ensureChromium() })
})
