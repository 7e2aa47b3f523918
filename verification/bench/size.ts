import { execFile } from 'node:child_process'
import { cp, lstat, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import { build } from 'vite'
import { signUp } from '#testing/account.ts'
import type { Row } from './row.ts'
import type { Stage } from './stage.ts'

const PROJECT = { title: 'Cedar strip canoe', description: 'Built in winter', isPublic: false }

/** All scripts that a browser fetches for the dashboard of a signed-in user. */
export const firstScreen: Row = {
  name: 'first-screen',
  what: 'JavaScript of a signed-in first screen (brotli) ÷ react-dom + react-router alone',
  aim: { atMost: 1.6 },
  async measure(stage) {
    const server = await stage.server({ DATABASE_URL: await stage.database() })
    const ours = await bytesOfScreen(stage, server.url)
    const baseline = await bytesOfBare(stage)
    const format = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
    const value = ours / baseline
    return { value, low: value, high: value, ours: format(ours), baseline: format(baseline) }
  },
}

async function bytesOfScreen(stage: Stage, url: string): Promise<number> {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '' })
  stage.ends(() => browser.close())
  const page = await (await browser.newContext({ baseURL: url })).newPage()
  const owner = await signUp(page, url)
  await owner.call('createProject', { body: PROJECT })
  await page.goto('about:blank')
  const scripts = new Set<string>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.endsWith('.js')) scripts.add(pathname)
  })
  await page.goto('/dashboard')
  await page.getByText(PROJECT.title).first().waitFor()
  await page.waitForTimeout(3_000)
  const sizes = await Promise.all(
    [...scripts].map(async (script) => {
      const code = await readFile(path.join('build/client', script))
      return Math.min(brotliCompressSync(code).length, code.length)
    }),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function bytesOfBare(stage: Stage): Promise<number> {
  const outDir = await stage.folder()
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: true,
      target: 'baseline-widely-available',
      rolldownOptions: { input: 'verification/bench/bare-router.tsx' },
    },
  })
  const names = (await readdir(outDir, { recursive: true })).filter((name) => name.endsWith('.js'))
  const files = await Promise.all(names.map((name) => readFile(path.join(outDir, name))))
  return files.reduce((sum, file) => sum + brotliCompressSync(file).length, 0)
}

const INSTALLED = ['package.json', 'package-lock.json', 'build', 'contract', 'server', 'public']

/** A production install: the packages without development dependencies, the built pages and the server. */
export const installSize: Row = {
  name: 'install-size',
  what: 'what a production install weighs (no development dependencies)',
  unit: ' MB',
  aim: { atMost: 450 },
  async measure(stage) {
    const folder = await stage.folder()
    for (const name of INSTALLED) await cp(name, path.join(folder, name), { recursive: true })
    const options = ['install', '--no-save', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error']
    await promisify(execFile)('npm', options, { cwd: folder })
    const all = (await bytesUnder(folder)) / 1e6
    const packages = (await bytesUnder(path.join(folder, 'node_modules'))) / 1e6
    return {
      value: all,
      low: all,
      high: all,
      ours: `${packages.toFixed(0)} + ${(all - packages).toFixed(0)} MB`,
      baseline: '',
    }
  },
}

/** Returns the disk usage of the files, in whole blocks. */
async function bytesUnder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = await Promise.all(entries.map(({ parentPath, name }) => lstat(path.join(parentPath, name))))
  // Hard links are counted once.
  const once = new Map(files.map((file) => [file.ino, file.blocks * 512]))
  return [...once.values()].reduce((sum, bytes) => sum + bytes, 0)
}
