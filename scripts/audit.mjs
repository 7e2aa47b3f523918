import { capture, npm } from './setup/child.mjs'
import { runCommand } from './setup/errors.mjs'

const BRIEFLY = ['--fetch-retries=0', '--fetch-timeout=30000']
const GRAVE = ['high', 'critical']

/** Asks the registry for known weaknesses of all packages: fails for grave ones, and says so where it does not answer. */
await runCommand(async () => {
  const { program, first, shell } = npm()
  const { output } = await capture(program, [...first, 'audit', '--json', ...BRIEFLY], { shell })
  const counts = countsIn(output)
  if (!counts) {
    console.log('The packages were not audited: the registry does not answer that question here.')
    return 0
  }
  const found = Object.entries(counts).filter(([level, count]) => level !== 'total' && count > 0)
  const told = found.map(([level, count]) => `${count} ${level}`).join(', ')
  console.log(`The packages were audited: ${told || 'nothing'} known.`)
  return found.some(([level]) => GRAVE.includes(level)) ? 1 : 0
})

/** How many weaknesses of each level npm reports, among whatever else it prints; undefined where it has no report. */
function countsIn(output) {
  const [json] = /^\{[^]*^\}/m.exec(output) ?? []
  try {
    return JSON.parse(json ?? 'null')?.metadata?.vulnerabilities
  } catch {
    return undefined
  }
}
