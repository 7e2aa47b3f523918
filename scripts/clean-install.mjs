import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { capture, ROOT } from './setup/child.mjs'
import { CommandError, runCommand } from './setup/errors.mjs'

/** The supported npm versions. The last is that of the container's Node.js. */
const NPM_MAJORS = ['10', '11']

/**
 * Runs the first stage of the Dockerfile on a clean clone, without a container: with each npm up to its "npm ci", and with the
 * last one also the build (`npm run clean-install`).
 */
await runCommand(async () => {
  const work = await mkdtemp(path.join(tmpdir(), 'milepost-clone-'))
  try {
    const clone = path.join(work, 'clone')
    await succeed('git', ['clone', '--quiet', '--depth=1', `file://${ROOT}`, clone], work)
    const steps = await firstStage(clone)
    for (const major of NPM_MAJORS) {
      const folder = path.join(work, `npm-${major}`)
      for (const step of steps) {
        await take(step, { clone, folder, major })
        console.log(`npm ${major}: ${step}`)
        if (major !== NPM_MAJORS.at(-1) && step.startsWith('RUN npm ci')) break
      }
      await rm(folder, { recursive: true, force: true })
    }
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return 0
})

/** Returns the COPY and RUN instructions up to the second FROM. */
async function firstStage(clone) {
  const lines = (await readFile(path.join(clone, 'deploy', 'Dockerfile'), 'utf8')).split('\n')
  const from = lines.flatMap((line, index) => (line.startsWith('FROM ') ? [index] : []))
  return lines.slice(from[0], from[1]).filter((line) => /^(?:COPY|RUN) /.test(line))
}

async function take(step, { clone, folder, major }) {
  const [instruction, ...words] = step.split(' ')
  if (instruction === 'RUN')
    return succeed('npx', ['--yes', '--package', `npm@${major}`, '--call', words.join(' ')], folder)
  const filter = (file) => path.relative(clone, file) !== '.git'
  for (const source of words.slice(0, -1))
    await cp(path.join(clone, source), source === '.' ? folder : path.join(folder, source), {
      recursive: true,
      filter,
    })
}

async function succeed(program, args, cwd) {
  const { code, output } = await capture(program, args, { cwd, shell: process.platform === 'win32' })
  if (code !== 0) throw new CommandError(`${program} ${args.join(' ')} failed:\n${output.trim()}`)
}
