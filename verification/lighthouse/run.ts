import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryDirectory } from '#testing/cleanup.ts'
import { startServer } from '#testing/start-server.ts'
import { verificationModule } from '#verification/packages.ts'
import { measureInteractions } from './interactions.ts'

const LIGHTHOUSE = fileURLToPath(verificationModule('lighthouse/cli/index.js'))
const REPORT_BYTES_MAX = 64 * 1024 * 1024
const CHROME_FLAGS = [
  '--headless=new',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const RUNS = 3
const AIM = 99
const COLUMN = 16

/** The used part of Lighthouse's JSON report. */
type Report = {
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { title: string; score: number | null; numericValue?: number }>
}

const printRow = (cells: (string | number)[]) =>
  console.log(cells.map((cell) => String(cell).padEnd(COLUMN)).join(''))

const server = await startWithDemo()
try {
  printRow(['', ...CATEGORIES, 'LCP (ms)', 'CLS', 'kB'])
  const results: boolean[] = []
  for (const [name, path] of Object.entries(server.paths)) {
    results.push(await measure(name, server.url + path))
  }
  const isGood = results.every(Boolean)
  console.log(`\n${isGood ? 'Every' : 'Not every'} score is at least ${AIM}.`)
  const isQuick = await measureInteractions(server)
  process.exitCode = isGood && isQuick ? 0 : 1
} finally {
  await server.stop()
}

/** Prints the medians of a page, and returns whether every score reaches the aim. */
async function measure(name: string, url: string): Promise<boolean> {
  const reports: Report[] = []
  for (let run = 0; run < RUNS; run += 1) reports.push(await audit(url))
  const figure = (id: string) => median(reports.map(({ audits }) => audits[id]?.numericValue ?? 0))
  const scores = CATEGORIES.map((category) =>
    median(reports.map(({ categories }) => Math.round(100 * (categories[category]?.score ?? 0)))),
  )
  printRow([
    name,
    ...scores,
    Math.round(figure('largest-contentful-paint')),
    figure('cumulative-layout-shift').toFixed(3),
    Math.round(figure('total-byte-weight') / 1024),
  ])
  for (const finding of new Set(reports.flatMap(findings))) console.log(`  ${finding}`)
  return scores.every((score) => score >= AIM)
}

/** Returns the audits that lower a score. */
function findings({ categories, audits }: Report): string[] {
  const weighted = CATEGORIES.flatMap((name) => categories[name]?.auditRefs ?? []).filter(
    ({ weight }) => weight > 0,
  )
  return weighted.flatMap(({ id }) => {
    const { title, score } = audits[id] ?? { title: id, score: null }
    return score === null || score >= 0.9 ? [] : [`${id}: ${title}`]
  })
}

/**
 * Runs Lighthouse on a page with its default phone: a slow network and a slow CPU. On an overloaded machine Chromium may not
 * reach the page at all, which says nothing about the page, so the run is repeated.
 */
async function audit(url: string, attempts = 3): Promise<Report> {
  try {
    const options = [
      '--output=json',
      '--quiet',
      '--no-enable-error-reporting',
      `--chrome-flags=${CHROME_FLAGS.join(' ')}`,
    ]
    const { stdout } = await promisify(execFile)(process.execPath, [LIGHTHOUSE, url, ...options], {
      env: { ...process.env, CHROME_PATH: process.env.CHROMIUM_PATH },
      maxBuffer: REPORT_BYTES_MAX,
    })
    return JSON.parse(stdout)
  } catch (error) {
    if (attempts === 1) throw error
    console.log('  Lighthouse did not finish; trying again …')
    return audit(url, attempts - 1)
  }
}

/** Starts the built product with the demo data. `paths` contains one page of each kind of public page. */
async function startWithDemo() {
  const { directory, remove } = await temporaryDirectory()
  const env = { ...process.env, DATA_DIR: directory, DATABASE_URL: '' }
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/demo.ts'], { env })
  const { url, stop } = await startServer({ DATA_DIR: directory, DATABASE_URL: '' })
  const project = /\/world\/[\w-]+/.exec(stdout)?.[0] ?? ''
  const page = await (await fetch(url + project)).text()
  const entry = new RegExp(`${project}/entries/[\\w-]+`).exec(page)?.[0] ?? ''
  const [, email = '', password = ''] = /Sign in as (\S+) with the password (\S+)/.exec(stdout) ?? []
  return {
    url,
    email,
    password,
    paths: { Landing: '/', 'Public project': project, 'Public entry': entry },
    async stop() {
      await stop()
      await remove()
    },
  }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
