import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { capture, ROOT } from './setup/child.mjs'
import { CommandError, runCommand } from './setup/errors.mjs'

const NPM_MAJORS = ['10', '11']

/** Runs "npm ci" on a clean clone, as the container file does, with each npm that people have: `npm run clean-install`. */
await runCommand(async () => {
  for (const major of NPM_MAJORS) {
    const clone = await mkdtemp(path.join(tmpdir(), 'milepost-clone-'))
    try {
      await succeed('git', ['clone', '--quiet', '--depth=1', `file://${ROOT}`, clone])
      const install = ['--prefix', clone, 'ci', '--no-audit', '--no-fund', '--loglevel=error']
      await succeed('npx', ['--yes', `npm@${major}`, ...install])
      console.log(`npm ${major} installed a clean clone.`)
    } finally {
      await rm(clone, { recursive: true, force: true })
    }
  }
  return 0
})

async function succeed(program, args) {
  const { code, output } = await capture(program, args, { shell: process.platform === 'win32' })
  if (code !== 0) throw new CommandError(`${program} ${args.join(' ')} failed:\n${output.trim()}`)
}
