import { mkdir, writeFile } from 'node:fs/promises'
import { cleanUpOnSignal } from '#testing/cleanup.ts'
import { startServer } from '#testing/start-server.ts'
import { type Browser, MissingProgram } from './browser.ts'
import { startFirefox } from './firefox.ts'
import { stepsOf } from './journey.ts'
import { screenOf } from './screen.ts'
import { startWebKit } from './webkit.ts'

const starters: Record<string, () => Promise<Browser>> = { firefox: startFirefox, webkit: startWebKit }
const COLUMN = 32
const screenshots = process.env.SCREENSHOTS

type Results = { version: string; steps: Map<string, 'passed' | 'FAILED'>; faults: string[] }

/** Runs the journey in each browser named on the command line, or in all, and prints the results. */
cleanUpOnSignal(console.error)
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(starters)
if (screenshots) await mkdir(screenshots, { recursive: true })
const server = await startServer()
try {
  const results: Results[] = []
  for (const name of names) {
    const start = starters[name]
    if (!start) throw new Error(`Name one of these browsers: ${Object.keys(starters).join(', ')}.`)
    const browser = await start().catch((error: unknown) => {
      if (!(error instanceof MissingProgram)) throw error
      console.log(error.message)
    })
    if (browser) results.push(await runIn(browser, name))
  }
  printTable(results)
  for (const { version, faults } of results) for (const fault of faults) console.log(`${version}: ${fault}`)
  console.log('Neither protocol can compose text with an input method: that is tested in Chromium alone.')
  process.exitCode = results.length > 0 && results.every(({ faults }) => faults.length === 0) ? 0 : 1
} finally {
  await server.stop()
}

/** Runs all steps, so that one failure does not hide the next. */
async function runIn(browser: Browser, name: string): Promise<Results> {
  const results: Results = { version: browser.version, steps: new Map(), faults: [] }
  const screen = screenOf(browser)
  try {
    for (const [step, run] of Object.entries(stepsOf(screen, server.url))) {
      const fault = await run()
        .then(() => screen.expectNoFaults())
        .catch((error: unknown) => `${step}: ${error instanceof Error ? error.message : String(error)}.`)
      results.steps.set(step, fault ? 'FAILED' : 'passed')
      if (fault) results.faults.push(fault)
      if (screenshots) await writeFile(`${screenshots}/${name} ${step}.png`, await browser.screenshot())
    }
  } finally {
    await browser.close()
  }
  return results
}

/** Prints a row for each step and a column for each browser. */
function printTable(results: Results[]) {
  const rows = [...(results[0]?.steps.keys() ?? [])].map((step) => [
    step,
    ...results.map(({ steps }) => steps.get(step) ?? ''),
  ])
  for (const row of [['', ...results.map(({ version }) => version)], ...rows])
    console.log(row.map((cell) => cell.padEnd(COLUMN)).join(''))
}
