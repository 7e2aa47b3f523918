import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { startServer } from '#e2e/start-server.ts'

/** Starts the built product with a public project of its own; `paths` leads to the kinds of public pages. */
export async function startFilled() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'milepost-lighthouse-'))
  await chmod(dataDir, 0o711)
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' }
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/demo.ts'], { env })
  const server = await startServer({ DATA_DIR: dataDir, DATABASE_URL: '' })
  const project = /\/world\/[\w-]+/.exec(stdout)?.[0] ?? ''
  const page = await (await fetch(server.url + project)).text()
  const entry = new RegExp(`${project}/entries/[\\w-]+`).exec(page)?.[0] ?? ''
  return {
    url: server.url,
    paths: { Landing: '/', 'Public project': project, 'Public entry': entry },
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
