import { audit } from './audit.ts'
import { CATEGORIES, summary } from './figures.ts'
import { startFilled } from './story.ts'

const RUNS = 3
const AIM = 99
const COLUMN = 16

const row = (cells: (string | number)[]) =>
  console.log(cells.map((cell) => String(cell).padEnd(COLUMN)).join(''))

/** Prints a page's medians; whether every score reaches the aim. */
async function judge(name: string, url: string): Promise<boolean> {
  const reports = []
  for (let run = 0; run < RUNS; run += 1) reports.push(await audit(url))
  const { scores, lcp, cls, kilobytes, complaints } = summary(reports)
  row([name, ...scores, Math.round(lcp), cls.toFixed(3), kilobytes])
  for (const complaint of complaints) console.log(`  ${complaint}`)
  return scores.every((score) => score >= AIM)
}

const server = await startFilled()
try {
  row(['', ...CATEGORIES, 'LCP (ms)', 'CLS', 'kB'])
  const judged = []
  for (const [name, path] of Object.entries(server.paths)) {
    judged.push(await judge(name, server.url + path))
  }
  const isGood = judged.every(Boolean)
  console.log(`\n${isGood ? 'Every' : 'Not every'} score is at least ${AIM}.`)
  process.exitCode = isGood ? 0 : 1
} finally {
  await server.stop()
}
