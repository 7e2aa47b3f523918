import { isEnding, undoOnSignal } from '#e2e/leftovers.ts'
import { bucket } from './bucket.ts'
import { clock } from './clock.ts'
import { disk } from './disk.ts'
import { kill } from './kill.ts'
import { mail } from './mail.ts'
import { markdown } from './markdown.ts'
import { outage } from './outage.ts'
import { slow } from './slow.ts'
import { streams } from './streams.ts'

const steps: { [name: string]: (say: (text: string) => void) => Promise<void> } = {
  kill,
  outage,
  disk,
  mail,
  bucket,
  clock,
  slow,
  streams,
  markdown,
}

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !(name in steps))
if (unknown) {
  console.error(
    `${unknown} is no step: name some of ${Object.keys(steps).join(', ')}, or none for all of them.`,
  )
  process.exit(1)
}

undoOnSignal(console.error)
const failed: string[] = []
for (const [name, step] of Object.entries(steps)) {
  if (isEnding()) break
  if (asked.length > 0 && !asked.includes(name)) continue
  try {
    await step((text) => console.log(`${name.padEnd(8)} ${text}`))
  } catch (error) {
    if (isEnding()) break
    failed.push(name)
    console.error(`${name.padEnd(8)} FAILED: ${error instanceof Error ? error.message : String(error)}`)
  }
}
// A signal ends the process itself, once everything is undone.
if (isEnding()) await new Promise(() => undefined)
console.log(failed.length === 0 ? '\nEverything was withstood.' : `\nFailed: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)
