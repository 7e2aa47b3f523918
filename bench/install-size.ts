import { execFile } from 'node:child_process'
import { cp, lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Row } from './row.ts'

const TAKEN = ['package.json', 'package-lock.json', 'build', 'contract', 'server', 'public']

/** All of a production install: what npm puts there without development dependencies, the built pages, the server. */
export const installSize: Row = {
  name: 'install-size',
  what: 'what a production install weighs (no development dependencies)',
  unit: ' MB',
  aim: { atMost: 450 },
  async measure(stage) {
    const folder = await stage.folder()
    for (const name of TAKEN) await cp(name, path.join(folder, name), { recursive: true })
    const options = ['install', '--no-save', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error']
    await promisify(execFile)('npm', options, { cwd: folder })
    const all = (await bytesUnder(folder)) / 1e6
    const packages = (await bytesUnder(path.join(folder, 'node_modules'))) / 1e6
    return {
      value: all,
      low: all,
      high: all,
      ours: `${packages.toFixed(0)} + ${(all - packages).toFixed(0)} MB`,
      yardstick: '',
    }
  },
}

/** What the files take up on disk, whole blocks of it. */
async function bytesUnder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = await Promise.all(entries.map(({ parentPath, name }) => lstat(path.join(parentPath, name))))
  // A file with two names lies there once.
  const once = new Map(files.map((file) => [file.ino, file.blocks * 512]))
  return [...once.values()].reduce((sum, bytes) => sum + bytes, 0)
}
