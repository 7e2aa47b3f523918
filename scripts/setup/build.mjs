import { createHash } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { capture, npm, ROOT, withProgress } from './child.mjs'
import { CommandError, throwExplained } from './errors.mjs'
import { withLock } from './lock.mjs'

const STAMP = path.join(ROOT, 'build', '.milepost-built')
const FOLDERS = ['web', 'contract', 'markdown', 'public']
const FILES = [
  'package-lock.json',
  'package.json',
  'vite.config.ts',
  'vite.pages.config.ts',
  'vite.plugins.ts',
  'vite.site.config.ts',
  'tsconfig.json',
  'scripts/compress.ts',
  'scripts/copy-diagrams.ts',
  'scripts/copy-fonts.ts',
  'server/public/picture/paint-task.ts',
  'server/export/site/search/browser.ts',
  'server/export/site/search/find.ts',
  'server/search/snippet.ts',
  'server/search/split.ts',
]

/** Builds the web app if its sources have changed since the last build. */
export async function ensureBuilt() {
  if (await isBuilt()) return
  await withLock(async () => {
    if (await isBuilt()) return
    const sources = await fingerprint()
    await rm(STAMP, { force: true })
    await build()
    await writeFile(STAMP, sources).catch((error) => throwExplained(error, 'the build'))
  })
}

async function isBuilt() {
  const stamp = await readFile(STAMP, 'utf8').catch(() => undefined)
  return stamp !== undefined && stamp === (await fingerprint())
}

async function fingerprint() {
  const listed = await Promise.all(FOLDERS.map((folder) => filesIn(folder)))
  const hash = createHash('sha256')
  for (const file of [...listed.flat().sort(), ...FILES]) {
    const content = await readFile(path.join(ROOT, file)).catch(() => '')
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

async function filesIn(folder) {
  const entries = await readdir(path.join(ROOT, folder), { recursive: true, withFileTypes: true }).catch(
    () => [],
  )
  return entries
    .filter((entry) => entry.isFile() && !/(\.test|^testing)\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath ?? entry.path, entry.name)))
}

async function build() {
  const { program, first, shell } = npm()
  const { code, output } = await withProgress('Building the pages (about half a minute)', () =>
    capture(program, [...first, 'run', 'build'], { shell, env: { NODE_ENV: 'production' } }),
  )
  if (code === 0) return
  console.error(output.trim().split('\n').slice(-40).join('\n'))
  throw new CommandError('The pages could not be built; see the messages above.')
}

/** Lets Vitest build the pages before it tests them. */
export { ensureBuilt as setup }
