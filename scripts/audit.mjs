import { capture, npm } from './setup/child.mjs'
import { runCommand } from './setup/errors.mjs'

const BRIEFLY = ['--fetch-retries=0', '--fetch-timeout=30000']
const GRAVE = ['high', 'critical']

/** Asks the registry for known vulnerabilities of all packages; fails for severe ones, and says so if the registry does not respond. */
await runCommand(async () => {
  const { program, first, shell } = npm()
  const { output } = await capture(program, [...first, 'audit', '--json', ...BRIEFLY], { shell })
  const counts = countsIn(output)
  if (!counts) {
    console.log('The packages were not audited: the registry does not support that request here.')
    return 0
  }
  const found = Object.entries(counts).filter(([level, count]) => level !== 'total' && count > 0)
  const summary = found.map(([level, count]) => `${count} ${level}`).join(', ')
  console.log(`The packages were audited: ${summary || 'nothing'} known.`)
  return found.some(([level]) => GRAVE.includes(level)) ? 1 : 0
})

/** Returns how many vulnerabilities of each level npm reports, or undefined if its output holds no report. */
function countsIn(output) {
  const [json] = /^\{[^]*^\}/m.exec(output) ?? []
  try {
    return JSON.parse(json ?? 'null')?.metadata?.vulnerabilities
  } catch {
    return undefined
  }
}
