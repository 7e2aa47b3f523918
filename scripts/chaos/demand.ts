import { errorBody } from '#contract/errors.ts'

/** Throws unless what was expected holds. */
export function requireAccess(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise)
}

/** Throws unless an answer has a status; says what it was instead. */
export async function demandStatus(sent: Promise<Response>, status: number, what: string): Promise<void> {
  const answer = await sent
  const text = await answer.text()
  requireAccess(answer.status === status, `${what} was answered with ${answer.status}: ${text.slice(0, 200)}`)
}

/** Throws unless an answer is a 503 that says what is the matter and when to come back; answers the sentence. */
export async function demandRefusal(sent: Promise<Response>, what: string): Promise<string> {
  const answer = await sent
  const text = await answer.text()
  requireAccess(answer.status === 503, `${what} was answered with ${answer.status}: ${text.slice(0, 200)}`)
  requireAccess(Number(answer.headers.get('retry-after')) > 0, `${what} was refused without Retry-After`)
  return errorBody.parse(JSON.parse(text)).message
}

/** The value below which so many of a hundred lie. */
export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}
