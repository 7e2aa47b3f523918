import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type Figure, isMet, Missing, type Row } from './row.ts'
import { rows } from './rows.ts'
import { createStage } from './stage.ts'
import { heading, line } from './table.ts'

/**
 * Measures the product beside its yardsticks: `npm run bench`, or only some rows: `npm run bench -- save sign-in`;
 * `--json` prints JSON. Ends with 1 where a row could not be run; that an aim is missed is no failure.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
})

type Outcome = { row: Row; figure: Figure } | { row: Row; problem: unknown }

async function run(row: Row): Promise<Outcome> {
  const stage = createStage()
  try {
    return { row, figure: await row.measure(stage) }
  } catch (problem) {
    return { row, problem }
  } finally {
    await stage.clear()
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

const unknown = positionals.filter((name) => !rows.some((row) => row.name === name))
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
  for (const row of rows) {
    if (positionals.length > 0 && !positionals.includes(row.name)) continue
    const outcome = await run(row)
    print(outcome)
    if ('problem' in outcome) process.exitCode = 1
  }
}
