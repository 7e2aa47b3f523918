import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The part of Lighthouse's report that is looked at. */
export type Report = {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { title: string; score: number | null; numericValue?: number }>
}

const LIGHTHOUSE = fileURLToPath(import.meta.resolve('lighthouse/cli/index.js'))
const REPORT_BYTES_MAX = 64 * 1024 * 1024
const asRoot = process.getuid?.() === 0
const FLAGS = [
  '--headless=new',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(asRoot ? ['--no-sandbox'] : []),
]

/**
 * Lighthouse's report on a page, with its own phone: a slow network and a slow processor. On a machine that is busy with
 * something else Chromium may not get as far as the page; that says nothing of the page, and is tried again.
 */
export async function audit(url: string, tries = 3): Promise<Report> {
  try {
    return await report(url)
  } catch (error) {
    if (tries === 1) throw error
    console.log('  Lighthouse did not finish; once more …')
    return audit(url, tries - 1)
  }
}

async function report(url: string): Promise<Report> {
  const options = [
    '--output=json',
    '--quiet',
    '--no-enable-error-reporting',
    `--chrome-flags=${FLAGS.join(' ')}`,
  ]
  const { stdout } = await promisify(execFile)(process.execPath, [LIGHTHOUSE, url, ...options], {
    env: { ...process.env, CHROME_PATH: process.env.CHROMIUM_PATH },
    maxBuffer: REPORT_BYTES_MAX,
  })
  return JSON.parse(stdout)
}
