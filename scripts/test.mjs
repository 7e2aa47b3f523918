import { chmod, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { REPORT, readReport } from './reports/report.mjs'
import { ensureBuilt } from './setup/build.mjs'
import { capture, npm, runNode } from './setup/child.mjs'
import { ensureChromium } from './setup/chromium.mjs'
import { CommandError, runCommand } from './setup/errors.mjs'
import { ensureInstalled } from './setup/install.mjs'

/** `npm run test:all` also runs tests that take long (docs/testing.md). */
const all = process.argv.includes('--all')
const SELECTION = all ? { MILEPOST_TESTS: 'all' } : {}

/** Linux's file system in memory; in containers it is small. */
const MEMORY = '/dev/shm'
const MEMORY_NEEDED = 4e9

/**
 * The compiler and the linter are programs in Go: several threads check shared types several times, and collecting garbage
 * takes a quarter of the time.
 */
const FRUGAL_GO = { GOMAXPROCS: '1', GOGC: 'off', GOMEMLIMIT: '2500MiB' }

await runCommand(async () => {
  const chromium = await setUp()
  const folder = await temporaryFolder()
  try {
    process.env.TMPDIR = folder
    // recheck measures how long suspicious inputs take; while other work runs, harmless patterns would exceed its
    // limit.
    const patterns = all ? [await check('Regular expressions', 'check:patterns')] : []
    // Unit tests leave a part of two cores idle, which the checks use.
    const [units, checks] = await Promise.all([unitTests(path.join(folder, 'units.json')), allChecks()])
    const browser = await browserTests(path.join(folder, 'browser.json'), chromium)
    return summary([...patterns, ...checks, units, browser])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

/**
 * Creates a directory for everything that the tests write. Each API test file creates and drops a database, which takes about
 * three times as much CPU time on a disk as in memory.
 */
async function temporaryFolder() {
  const memory = await statfs(MEMORY).catch(() => undefined)
  const parent = memory && memory.bavail * memory.bsize >= MEMORY_NEEDED ? MEMORY : tmpdir()
  await removeAbandoned(parent)
  const folder = await mkdtemp(path.join(parent, `milepost-test-run-${process.pid}-`))
  // PostgreSQL runs as another user if root runs the tests.
  await chmod(folder, 0o711)
  return folder
}

/** Removes the directories of killed runs. */
async function removeAbandoned(parent) {
  for (const name of await readdir(parent)) {
    const maker = /^milepost-test-run-(\d+)-/.exec(name)?.[1]
    const folder = path.join(parent, name)
    if (!maker || isAlive(Number(maker)) || (await stat(folder)).uid !== process.getuid?.()) continue
    await rm(folder, { recursive: true, force: true })
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

async function setUp() {
  try {
    await ensureInstalled()
    return await ensureChromium({ shell: true })
  } catch (error) {
    if (error instanceof CommandError) error.message += '\n\n0 passed, 1 failed'
    throw error
  }
}

async function allChecks() {
  return [
    await check('Types', 'typecheck', '--', '--singleThreaded'),
    await check('Lint', 'lint'),
    ...(all ? [await check('Unused code', 'lint:unused')] : []),
  ]
}

async function check(name, script, ...args) {
  const { program, first, shell } = npm()
  const { code, output } = await capture(program, [...first, 'run', '--silent', script, ...args], {
    shell,
    env: FRUGAL_GO,
  })
  console.log(`\n${name}\n${output}`)
  return counted(name, code, { passed: 0, failed: [] })
}

async function unitTests(report) {
  console.log('\nUnits and API')
  const options = ['--reporter=default', '--reporter=./scripts/reports/units.mjs']
  const env = { ...SELECTION, WHOLE_RUN: 'yes', NODE_ENV: 'test', [REPORT]: report }
  const code = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...options], env)
  return counted('Units and API', code, await readReport(report))
}

async function browserTests(report, chromium) {
  console.log('\nBrowser')
  try {
    await ensureBuilt()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    console.error(error.message)
    return counted('Browser', 1, { passed: 0, failed: [] })
  }
  const options = ['--reporter=list,./scripts/reports/browser.mjs']
  const env = {
    ...SELECTION,
    NODE_ENV: 'test',
    CHROMIUM_PATH: chromium,
    [REPORT]: report,
  }
  const code = await runNode(['node_modules/@playwright/test/cli.js', 'test', ...options], env)
  return counted('Browser', code, await readReport(report))
}

/** A runner that fails without a failed test (a file that does not load, a broken setup) counts as one failure. */
function counted(name, code, { passed, failed, skipped = [] }) {
  if (code !== 0 && failed.length === 0) failed.push(`${name} ended with code ${code}`)
  return { name, passed, failed, skipped }
}

/** Prints the complete outcome by name at the end, because the beginning of a long log may be lost. */
function summary(results) {
  const failed = results.flatMap((result) => result.failed)
  console.log('')
  for (const name of results.flatMap((result) => result.skipped)) console.log(`Skipped: ${name}`)
  for (const name of failed) console.log(`Failed: ${name}`)
  for (const { name, passed, failed } of results)
    console.log(
      passed + failed.length === 0
        ? `${name}: no fault`
        : `${name}: ${passed} passed, ${failed.length} failed`,
    )
  const passed = results.reduce((sum, result) => sum + result.passed, 0)
  console.log(`
${passed} passed, ${failed.length} failed`)
  return failed.length === 0 && passed > 0 ? 0 : 1
}
