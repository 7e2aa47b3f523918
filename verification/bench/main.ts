import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { cleanUpOnSignal } from '#testing/cleanup.ts'
import { accessToken } from './access-token.ts'
import { entriesPage, largeDatabase } from './entries.ts'
import { growthRows } from './growth.ts'
import { historyPage, historySave } from './history.ts'
import { memoryAtRest, memoryGrowth } from './memory.ts'
import { busyPublicPage, cachedPage, knownPage, loggedPages, uncachedPage } from './public-pages.ts'
import { roundTripRows } from './round-trips.ts'
import { type Aim, type Figure, isMet, Missing, type Row } from './row.ts'
import { save } from './save.ts'
import { searchRows } from './search.ts'
import { signIn } from './sign-in.ts'
import { firstScreen, installSize } from './size.ts'
import { slowLine } from './slow-line.ts'
import { createStage } from './stage.ts'
import { typing } from './typing.ts'
import { warmStart } from './warm-start.ts'

/** All rows of the table, in order. */
const rows: Row[] = [
  cachedPage,
  knownPage,
  ...loggedPages,
  uncachedPage,
  busyPublicPage,
  largeDatabase,
  entriesPage,
  save,
  ...roundTripRows,
  historySave,
  historyPage,
  signIn,
  accessToken,
  firstScreen,
  warmStart,
  typing,
  memoryGrowth,
  memoryAtRest,
  installSize,
  ...growthRows,
  ...searchRows,
  slowLine,
]

/**
 * Measures the product against its baselines: `npm run bench`, or only some rows: `npm run bench -- save sign-in`. `growth`
 * selects all rows with that prefix, which run only if they are named. `--json` prints JSON. The exit code is 1 if a row could
 * not be run; a missed aim does not affect it.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
})

cleanUpOnSignal(console.error)
const shared = createStage()

type Outcome = { row: Row; figure: Figure } | { row: Row; problem: unknown }

async function run(row: Row): Promise<Outcome> {
  const stage = createStage()
  try {
    return { row, figure: await row.measure(stage, shared) }
  } catch (problem) {
    return { row, problem }
  } finally {
    await stage.tearDown()
  }
}

function print(outcome: Outcome): void {
  const { name, what, unit, aim } = outcome.row
  if ('problem' in outcome) {
    const { problem } = outcome
    console.error(`${name} could not be run:`, problem instanceof Missing ? problem.message : problem)
  } else if (values.json) {
    const met = aim && isMet(aim, outcome.figure.value)
    console.log(JSON.stringify({ name, what, unit, aim, ...outcome.figure, met, load: loadavg()[0] }))
  } else console.log(line(outcome.row, outcome.figure))
}

const WIDTHS = [16, 70, 14, 14, 10, 20, 10, 8]

const cells = (texts: string[]) =>
  texts
    .map((text, index) => text.padEnd(WIDTHS[index] ?? 0))
    .join(' ')
    .trimEnd()

const heading = cells(['row', 'what', 'milepost', 'baseline', 'value', 'spread', 'aim', 'met'])

/** Formats a row of the table. */
function line({ name, what, unit = '', aim }: Row, figure: Figure): string {
  const format = (value: number) => (unit ? value.toFixed(0) : value.toFixed(2))
  const { value, low, high, ours, baseline } = figure
  return cells([
    name,
    what,
    ours,
    baseline,
    format(value) + unit,
    low === high ? '' : `${format(low)} to ${format(high)}`,
    aim ? aimText(aim, unit) : '',
    aim ? (isMet(aim, value) ? 'yes' : 'no') : '',
  ])
}

const aimText = (aim: Aim, unit: string) => ('atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`) + unit

/** Returns whether a command line argument selects the row: by its name, or by the part before a dash. */
const means = (word: string, { name }: Row) => name === word || name.startsWith(`${word}-`)

const isChosen = (row: Row) =>
  positionals.length === 0 ? !row.isLong : positionals.some((word) => means(word, row))

const unknown = positionals.filter((word) => !rows.some((row) => means(word, row)))
if (unknown.length > 0) {
  console.error(
    `There is no row ${unknown.join(', ')}. The rows are: ${rows.map(({ name }) => name).join(', ')}`,
  )
  process.exitCode = 1
} else {
  if (!values.json) {
    console.log(`${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, load ${loadavg()[0]?.toFixed(1)}\n`)
    console.log(heading)
  }
  for (const row of rows.filter(isChosen)) {
    const outcome = await run(row)
    print(outcome)
    if ('problem' in outcome) process.exitCode = 1
  }
  await shared.tearDown()
}
