import { ensureBuilt } from './setup/build.mjs'
import { capture, runNode } from './setup/child.mjs'
import { ensureChromium } from './setup/chromium.mjs'
import { CommandError, runCommand } from './setup/errors.mjs'
import { ensureInstalled } from './setup/install.mjs'

/** Runs two replicas behind nginx, kills one under load, then restarts both in turn; prints the results of the requests. */
await runCommand(async () => {
  await ensureInstalled()
  const { code } = await capture('nginx', ['-v'], { env: { PATH: `${process.env.PATH}:/usr/sbin` } })
  if (code !== 0)
    throw new CommandError(
      'This needs nginx, which is not installed: install it from your system (apt-get install nginx).',
    )
  await ensureBuilt()
  return runNode(['scripts/replicas/run.ts'], { CHROMIUM_PATH: await ensureChromium() })
})
