import { capture, npm } from './setup/child.mjs'
import { runCommand } from './setup/errors.mjs'

const BRIEFLY = ['--fetch-retries=0', '--fetch-timeout=30000']
const GRAVE = ['high', 'critical']

/** Queries the registry for known vulnerabilities of all packages. Fails for severe ones, and reports if the registry does not respond. */
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

/** Returns the number of vulnerabilities of each level that npm reports; undefined if its output contains no report. */
function countsIn(output) {
  const [json] = /^\{[^]*^\}/m.exec(output) ?? []
  try {
    return JSON.parse(json ?? 'null')?.metadata?.vulnerabilities
  } catch {
    return undefined
  }
}
