import path from 'node:path'
import { capture, npm, ROOT } from './setup/child.mjs'
import { runCommand } from './setup/errors.mjs'

const BRIEFLY = ['--fetch-retries=0', '--fetch-timeout=30000']
const GRAVE = ['high', 'critical']

/** Queries the registry for known vulnerabilities of all packages. Fails for severe ones, and reports if the registry does not respond. */
await runCommand(async () => {
  const product = await audit('The packages', ROOT)
  const verification = await audit(
    'Those of verification/packages',
    path.join(ROOT, 'verification', 'packages'),
  )
  return product || verification ? 1 : 0
})

/** Prints what is known about the packages of a folder, and returns whether it is severe. */
async function audit(name, cwd) {
  const { program, first, shell } = npm()
  const { output } = await capture(program, [...first, 'audit', '--json', ...BRIEFLY], { shell, cwd })
  const counts = countsIn(output)
  if (!counts) {
    console.log(`${name} were not audited: the registry does not support that request here.`)
    return false
  }
  const found = Object.entries(counts).filter(([level, count]) => level !== 'total' && count > 0)
  const summary = found.map(([level, count]) => `${count} ${level}`).join(', ')
  console.log(`${name} were audited: ${summary || 'nothing'} known.`)
  return found.some(([level]) => GRAVE.includes(level))
}

/** Returns the number of vulnerabilities of each level that npm reports; undefined if its output contains no report. */
function countsIn(output) {
  const [json] = /^\{[^]*^\}/m.exec(output) ?? []
  try {
    return JSON.parse(json ?? 'null')?.metadata?.vulnerabilities
  } catch {
    return undefined
  }
}
