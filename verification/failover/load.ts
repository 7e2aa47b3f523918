import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode, errorBody } from '#contract/parts/errors.ts'
import type { Account } from '#testing/account.ts'
import { createJournal } from '#testing/journal.ts'

/** The results of the calls of a load, and of their writes. */
export type Tally = {
  /** Writes that were acknowledged. */
  acknowledged: number
  /** Reads that succeeded. */
  read: number
  /** Refused calls by status; `broken` are connections that ended without a response. */
  rejections: Map<number | 'broken', number>
  /** Rejections without Retry-After or without a message. */
  unclear: string[]
  /** The longest time without an acknowledged write since `from`, in milliseconds. */
  longestPause(from: number): number
  /** The longest call, refused or not, in milliseconds. */
  longestCall: number
  /** Returns the number of writes acknowledged since a time of `performance.now()`. */
  writtenSince(from: number): number
}

/** The result of checking the writes afterwards. */
export type Found = {
  /** Acknowledged, but missing. */
  lost: number
  /** Written once, but stored several times. */
  doubled: number
  /** Refused and not repeated, but stored: by refusals that asked to check first, and by those that asked to try again. */
  savedButRefused: { reported: number; misled: number }
}

export type Load = { tally: Tally; stop(): Promise<void>; verify(): Promise<Found> }

const PAUSE_AFTER_REFUSAL_MS = 100
const TIMEOUT_MS = 60_000
/** The error code of a call whose outcome is unknown. */
const UNKNOWN_OUTCOME: ErrorCode = 'outcome_unknown'

type Outcome = { id: string } | { refused: string }

/**
 * Writes and reads until it is stopped. Every second writer sends an idempotency key with each entry and repeats the call until
 * it is acknowledged, like the web client. The others never repeat.
 */
export async function startLoad(account: Account, origin: string, writers = 4, readers = 2): Promise<Load> {
  const milestones = await Promise.all(
    Array.from({ length: writers }, async () => (await createJournal(account)).milestoneId),
  )
  const outcomes = new Map<string, Outcome>()
  const acknowledgedAt: number[] = []
  const tally: Tally = {
    acknowledged: 0,
    read: 0,
    rejections: new Map(),
    unclear: [],
    longestCall: 0,
    longestPause: (from) => longestPause(acknowledgedAt, from),
    writtenSince: (from) => acknowledgedAt.filter((time) => time > from).length,
  }
  const stopping = new AbortController()

  /** Makes a call; returns its body, or the code of its refusal. */
  const call = async (path: string, init: RequestInit): Promise<{ body: unknown } | { refused: string }> => {
    const start = performance.now()
    const answer = await answerTo(origin + path, account, init)
    tally.longestCall = Math.max(tally.longestCall, performance.now() - start)
    if ('body' in answer) return answer
    tally.rejections.set(answer.status, (tally.rejections.get(answer.status) ?? 0) + 1)
    if (answer.problem) tally.unclear.push(answer.problem)
    await sleep(PAUSE_AFTER_REFUSAL_MS)
    return { refused: answer.code }
  }

  const write = async (milestoneId: string, title: string, repeats: boolean) => {
    const init: RequestInit = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(repeats && { 'idempotency-key': title }) },
      body: JSON.stringify({ title, content: 'One of many.', tags: [] }),
    }
    for (;;) {
      const answer = await call(`/api/milestones/${milestoneId}/entries`, init)
      if ('refused' in answer) outcomes.set(title, answer)
      else {
        outcomes.set(title, { id: (answer.body as { _id: string })._id })
        acknowledgedAt.push(performance.now())
        tally.acknowledged += 1
      }
      if (!('refused' in answer) || !repeats || stopping.signal.aborted) return
    }
  }
  const writer = async (milestoneId: string, index: number) => {
    for (let count = 0; !stopping.signal.aborted; count += 1)
      await write(milestoneId, `${milestoneId}-${count}`, index % 2 === 1)
  }
  const reader = async () => {
    while (!stopping.signal.aborted) if ('body' in (await call('/api/projects', {}))) tally.read += 1
  }
  const running = [...milestones.map(writer), ...Array.from({ length: readers }, reader)]
  return {
    tally,
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
    async verify() {
      const found: Entry[] = []
      for (const milestoneId of milestones) found.push(...(await entriesOf(account, origin, milestoneId)))
      return compare(outcomes, found)
    },
  }
}

type Answer = { body: unknown } | { status: number | 'broken'; code: string; problem?: string }

async function answerTo(url: string, { token }: Account, init: RequestInit): Promise<Answer> {
  const headers = { ...init.headers, authorization: `Bearer ${token}` }
  try {
    const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const text = await response.text()
    if (response.ok) return { body: JSON.parse(text) }
    return rejection(response, text)
  } catch (error) {
    return { status: 'broken', code: '', problem: String(error) }
  }
}

function rejection(response: Response, text: string): Answer {
  const { status, headers } = response
  const { data } = errorBody.safeParse(parsed(text))
  const isClear = status === 503 && data !== undefined && Number(headers.get('retry-after')) > 0
  return { status, code: data?.code ?? '', ...(!isClear && { problem: `${status} ${text.slice(0, 120)}` }) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the longest interval without an acknowledged write that ended after `from`, or has not ended. */
function longestPause(times: number[], from: number): number {
  let longest = 0
  let last = from
  for (const time of [...times.filter((time) => time > from), performance.now()]) {
    longest = Math.max(longest, time - last)
    last = time
  }
  return longest
}

type Entry = { _id: string; title: string }

async function entriesOf(account: Account, origin: string, milestoneId: string): Promise<Entry[]> {
  const response = await account.send('listEntries', { params: { milestoneId }, query: {} }, origin)
  if (!response.ok) throw new Error(`the entries could not be read: ${response.status}`)
  return (await response.json()) as Entry[]
}

function compare(outcomes: Map<string, Outcome>, found: Entry[]): Found {
  const ids = new Set(found.map(({ _id }) => _id))
  const titles = new Set(found.map(({ title }) => title))
  const result: Found = {
    lost: 0,
    doubled: found.length - titles.size,
    savedButRefused: { reported: 0, misled: 0 },
  }
  for (const [title, outcome] of outcomes) {
    if ('id' in outcome) result.lost += ids.has(outcome.id) ? 0 : 1
    else if (titles.has(title))
      result.savedButRefused[outcome.refused === UNKNOWN_OUTCOME ? 'reported' : 'misled'] += 1
  }
  return result
}
