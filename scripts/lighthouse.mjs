import { ensureBuilt } from './setup/build.mjs'
import { runNode } from './setup/child.mjs'
import { ensureChromium } from './setup/chromium.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { command } from './setup/stop.mjs'

/** Has Lighthouse judge the public pages of the built product as a phone sees them, and fails below the aim. */
await command(async () => {
  await ensureInstalled()
  await ensureBuilt()
  return runNode(['scripts/lighthouse/judge.ts'], { CHROMIUM_PATH: await ensureChromium() })
})
