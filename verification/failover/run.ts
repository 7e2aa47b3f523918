import { cleanUpOnSignal, isShuttingDown } from '#testing/cleanup.ts'
import { startCluster } from './cluster.ts'
import { type Line, rounds } from './rounds.ts'

/** The requirements of every round: seconds, and the allowed statuses of refusals. */
const BACK_WITHIN_S = 20
const CALL_WITHIN_S = 25
const REFUSAL = 503
const TIME_LIMIT_MS = 14 * 60_000

const seconds = (milliseconds: number) => milliseconds / 1_000

/** Returns the requirements that a round missed, each as a clause. */
function missed({ backAfter, load }: Line): string[] {
  if (!load) return []
  const { tally, found, streams } = load
  const others = [...tally.rejections.keys()].filter((status) => status !== REFUSAL)
  const faults: [boolean, string][] = [
    [seconds(backAfter) > BACK_WITHIN_S, `writes went on after more than ${BACK_WITHIN_S} s`],
    [seconds(tally.longestCall) > CALL_WITHIN_S, `a call took more than ${CALL_WITHIN_S} s`],
    [found.lost > 0, `${found.lost} acknowledged writes are lost`],
    [found.doubled > 0, `${found.doubled} writes are there twice`],
    [
      found.savedButRefused.misled > 0,
      `${found.savedButRefused.misled} saved writes were answered with "try again"`,
    ],
    [others.length > 0, `rejections other than ${REFUSAL}: ${others.join(', ')}`],
    [tally.unclear.length > 0, `unclear: ${tally.unclear[0]}`],
    [streams.alive < streams.of, `${streams.of - streams.alive} event streams receive nothing`],
  ]
  return faults.filter(([isFault]) => isFault).map(([, clause]) => clause)
}

const COLUMNS = [
  'Round',
  'Writes resumed after',
  'Rejections',
  'Longest call',
  'Acknowledged',
  'Lost',
  'Duplicated',
  'Saved, but refused',
  'Event streams',
  'Memory',
]

function cells({ round, backAfter, load, note = '' }: Line): string[] {
  const back = `${seconds(backAfter).toFixed(1)} s`
  if (!load) return [round, back, note, '', '', '', '', '', '', '']
  const { tally, found, streams, megabytes } = load
  const { reported, misled } = found.savedButRefused
  const rejections = [...tally.rejections].map(([status, count]) => `${count} × ${status}`)
  return [
    round,
    back,
    rejections.join(', ') || 'none',
    `${seconds(tally.longestCall).toFixed(1)} s`,
    String(tally.acknowledged),
    String(found.lost),
    String(found.doubled),
    `${reported} outcome_unknown, ${misled} retryable`,
    `${streams.alive} of ${streams.of} after ${seconds(streams.after).toFixed(1)} s, ${streams.reopened} reopened`,
    `${megabytes.before.toFixed(0)} → ${megabytes.after.toFixed(0)} MB`,
  ]
}

const row = (texts: string[]) => `| ${texts.join(' | ')} |`

const requested = process.argv.slice(2)
const unknown = requested.find((name) => !(name in rounds))
if (unknown) {
  console.error(`${unknown} is not a round. The rounds are: ${Object.keys(rounds).join(', ')}.`)
  process.exit(1)
}

/** Runs the rounds; returns the missed requirements. */
async function run(): Promise<string[]> {
  const faults: string[] = []
  const start = performance.now()
  const cluster = await startCluster()
  console.log(
    `etcd, two nodes of Patroni and HAProxy were up after ${seconds(performance.now() - start).toFixed(0)} s\n`,
  )
  console.log(row(COLUMNS))
  console.log(row(COLUMNS.map(() => '---')))
  const add = (line: Line) => {
    console.log(row(cells(line)))
    faults.push(...missed(line).map((clause) => `${line.round}: ${clause}`))
  }
  try {
    for (const [name, round] of Object.entries(rounds)) {
      if (isShuttingDown()) break
      if (requested.length > 0 && !requested.includes(name)) continue
      await round(cluster, add).catch((error: unknown) => {
        faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
        console.error(faults.at(-1))
      })
    }
  } finally {
    await cluster.remove()
  }
  return faults
}

cleanUpOnSignal(console.error)
const tooLong = setTimeout(() => {
  console.error(`The rounds took more than ${TIME_LIMIT_MS / 60_000} minutes.`)
  process.kill(process.pid, 'SIGTERM')
}, TIME_LIMIT_MS)
const faults = await run().catch((error: unknown) => {
  if (isShuttingDown()) return []
  return [error instanceof Error ? error.message : String(error)]
})
clearTimeout(tooLong)
// The signal handler exits once everything is cleaned up.
if (isShuttingDown()) await new Promise(() => undefined)
console.log(faults.length === 0 ? '\nEverything was kept.' : `\nMissed:\n${faults.join('\n')}`)
process.exit(faults.length === 0 ? 0 : 1)
