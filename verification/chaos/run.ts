import { cleanUpOnSignal, isShuttingDown } from '#testing/cleanup.ts'
import { bucket } from './bucket.ts'
import { clock } from './clock.ts'
import { kill, outage, slow } from './database.ts'
import { disk } from './disk.ts'
import { importing } from './import.ts'
import { lostRight } from './lost-right.ts'
import { mail } from './mail.ts'
import { markdown } from './markdown.ts'
import { news } from './news.ts'
import { schedule } from './schedule.ts'
import { streams } from './streams.ts'
import { typing } from './typing.ts'
import { volume } from './volume.ts'
import { withdraw } from './withdraw.ts'

const steps: { [name: string]: (report: (text: string) => void) => Promise<void> } = {
  kill,
  outage,
  disk,
  mail,
  bucket,
  clock,
  slow,
  streams,
  markdown,
  typing,
  import: importing,
  volume,
  withdraw,
  schedule,
  news,
  lost: lostRight,
}

const requested = process.argv.slice(2)
const unknown = requested.find((name) => !(name in steps))
if (unknown) {
  console.error(`${unknown} is not a step. The steps are: ${Object.keys(steps).join(', ')}.`)
  process.exit(1)
}

cleanUpOnSignal(console.error)
const failed: string[] = []
for (const [name, step] of Object.entries(steps)) {
  if (isShuttingDown()) break
  if (requested.length > 0 && !requested.includes(name)) continue
  try {
    await step((text) => console.log(`${name.padEnd(8)} ${text}`))
  } catch (error) {
    if (isShuttingDown()) break
    failed.push(name)
    console.error(`${name.padEnd(8)} FAILED: ${error instanceof Error ? error.message : String(error)}`)
  }
}
// The signal handler exits once everything is cleaned up.
if (isShuttingDown()) await new Promise(() => undefined)
console.log(failed.length === 0 ? '\nEverything was withstood.' : `\nFailed: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)
