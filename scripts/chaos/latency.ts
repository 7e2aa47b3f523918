import { percentile } from './demand.ts'

const REQUESTS = 300

/** The 99th percentile of the times, in milliseconds, that an address takes to answer. */
export async function p99(url: string): Promise<number> {
  const times: number[] = []
  for (let request = 0; request < REQUESTS; request += 1) {
    const begun = performance.now()
    const answer = await fetch(url)
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
    times.push(performance.now() - begun)
  }
  return Math.round(percentile(times, 99) * 10) / 10
}
