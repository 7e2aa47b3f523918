import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ensureBuilt } from './setup/build.mjs'
import { npm, run, runNode } from './setup/child.mjs'
import { ensureChromium } from './setup/chromium.mjs'
import { ensureInstalled } from './setup/install.mjs'
import { command, Stop } from './setup/stop.mjs'

await command(async () => {
  const chromium = await setUp()
  const reports = await mkdtemp(path.join(tmpdir(), 'milepost-report-'))
  try {
    const results = [
      await check('Types', 'typecheck'),
      await check('Lint', 'lint'),
      await unitTests(path.join(reports, 'units.json')),
      await browserTests(path.join(reports, 'browser.json'), chromium),
    ]
    return summary(results)
  } finally {
    await rm(reports, { recursive: true, force: true })
  }
})

async function setUp() {
  try {
    await ensureInstalled()
    return await ensureChromium()
  } catch (error) {
    if (error instanceof Stop) error.message += '\n\n0 passed, 1 failed'
    throw error
  }
}

async function check(name, script) {
  console.log(`\n${name}`)
  const { program, first, shell } = npm()
  const failed = (await run(program, [...first, 'run', '--silent', script], { shell })) === 0 ? 0 : 1
  return { name, passed: 1 - failed, failed }
}

async function unitTests(report) {
  console.log('\nUnits and API')
  const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...options], { NODE_ENV: 'test' })
  const { numPassedTests, numFailedTests } = await read(report, { numPassedTests: 0, numFailedTests: 0 })
  return counted('Units and API', code, numPassedTests, numFailedTests)
}

async function browserTests(report, chromium) {
  console.log('\nBrowser')
  try {
    await ensureBuilt()
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    console.error(error.message)
    return { name: 'Browser', passed: 0, failed: 1 }
  }
  const env = { NODE_ENV: 'test', CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
  const code = await runNode(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'], env)
  const { stats } = await read(report, { stats: { expected: 0, flaky: 0, unexpected: 0 } })
  return counted('Browser', code, stats.expected + stats.flaky, stats.unexpected)
}

/** A runner that fails without a failed test (a file that does not load, a broken setup) counts as one failure. */
function counted(name, code, passed, failed) {
  return { name, passed, failed: code === 0 ? failed : Math.max(failed, 1) }
}

async function read(report, otherwise) {
  const text = await readFile(report, 'utf8').catch(() => undefined)
  return text ? JSON.parse(text) : otherwise
}

function summary(results) {
  const total = (key) => results.reduce((sum, result) => sum + result[key], 0)
  console.log('')
  for (const { name, passed, failed } of results) console.log(`${name}: ${passed} passed, ${failed} failed`)
  console.log(`\n${total('passed')} passed, ${total('failed')} failed`)
  return total('failed') === 0 && total('passed') > 0 ? 0 : 1
}
