import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import { build } from 'vite'
import { member } from '#e2e/member.ts'
import type { Row } from './row.ts'
import type { Stage } from './stage.ts'

const PROJECT = { title: 'Cedar strip canoe', description: 'Built in winter', isPublic: false }

/** All scripts that a browser has fetched once the dashboard of somebody signed in stands still. */
export const firstScreen: Row = {
  name: 'first-screen',
  what: 'JavaScript of a signed-in first screen (brotli) ÷ react-dom + react-router alone',
  aim: { atMost: 1.6 },
  async measure(stage) {
    const server = await stage.server({ DATABASE_URL: await stage.database() })
    const ours = await bytesOfScreen(stage, server.url)
    const yardstick = await bytesOfBare(stage)
    const tell = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
    const value = ours / yardstick
    return { value, low: value, high: value, ours: tell(ours), yardstick: tell(yardstick) }
  },
}

async function bytesOfScreen(stage: Stage, url: string): Promise<number> {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '' })
  stage.ends(() => browser.close())
  const page = await (await browser.newContext({ baseURL: url })).newPage()
  const owner = await member(page, url)
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
      rolldownOptions: { input: 'bench/bare-router.tsx' },
    },
  })
  const names = (await readdir(outDir, { recursive: true })).filter((name) => name.endsWith('.js'))
  const files = await Promise.all(names.map((name) => readFile(path.join(outDir, name))))
  return files.reduce((sum, file) => sum + brotliCompressSync(file).length, 0)
}
