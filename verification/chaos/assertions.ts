import { setTimeout as sleep } from 'node:timers/promises'
import { errorBody } from '#contract/parts/errors.ts'

const REQUESTS = 300

/** Throws an error with the given message unless the condition holds. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}

/** Throws unless the response has the expected status. */
export async function assertStatus(sent: Promise<Response>, status: number, request: string): Promise<void> {
  const response = await sent
  const text = await response.text()
  assert(response.status === status, `${request} returned ${response.status}: ${text.slice(0, 200)}`)
}

/** Throws unless the response is a 503 with a message and a Retry-After header; returns the message. */
export async function assertUnavailable(sent: Promise<Response>, request: string): Promise<string> {
  const response = await sent
  const text = await response.text()
  assert(response.status === 503, `${request} returned ${response.status}: ${text.slice(0, 200)}`)
  assert(Number(response.headers.get('retry-after')) > 0, `${request} was refused without Retry-After`)
  return errorBody.parse(JSON.parse(text)).message
}

/** Waits until the condition holds; throws an error with the given message after the timeout. */
export async function eventually(
  condition: () => boolean,
  message: string,
  timeoutMs = 30_000,
): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; !condition(); await sleep(50))
    if (Date.now() > deadline) throw new Error(message)
}

/** Returns the value below which the given percentage of the values lie. */
export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}

/** Returns the 99th percentile of the response times of a URL, in milliseconds. */
export async function p99(url: string): Promise<number> {
  const times: number[] = []
  for (let request = 0; request < REQUESTS; request += 1) {
    const start = performance.now()
    const response = await fetch(url)
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${url} returned ${response.status}`)
    times.push(performance.now() - start)
  }
  return Math.round(percentile(times, 99) * 10) / 10
}
