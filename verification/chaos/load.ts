import { setTimeout as sleep } from 'node:timers/promises'
import { errorBody } from '#contract/parts/errors.ts'
import type { Account } from '#testing/account.ts'
import { createJournal } from '#testing/journal.ts'

/** The results of the requests of a load. */
export type LoadResult = {
  /** The ids of the entries whose creation was acknowledged. */
  acknowledged: Set<string>
  /** Reads that succeeded. */
  read: number
  /** 503 responses with a message and a Retry-After header. */
  refused: number
  /** Connections that broke before a response was complete. */
  broken: number
  /** Any other responses: the status and the beginning of the body. */
  unclear: string[]
}

export type Load = {
  result: LoadResult
  /** Stops the load, and throws unless every acknowledged entry is found at `origin`. */
  stopAndVerify(origin: string): Promise<void>
  stop(): Promise<void>
}

const BACKOFF_MS = 50

/** Writes and reads until it is stopped. Each writer has its own project. */
export async function startLoad(account: Account, origin: string, writers = 4, readers = 2): Promise<Load> {
  const milestones = await Promise.all(
    Array.from({ length: writers }, async () => (await createJournal(account)).milestoneId),
  )
  const result: LoadResult = { acknowledged: new Set(), read: 0, refused: 0, broken: 0, unclear: [] }
  const stopping = new AbortController()
  const repeat = async (
    request: () => Promise<Response>,
    onSuccess: (response: Response) => Promise<void>,
  ) => {
    while (!stopping.signal.aborted) {
      const response = await request().catch(() => null)
      if (response?.ok) await onSuccess(response).catch(() => (result.broken += 1))
      else await countFailure(result, response)
      await sleep(response?.ok ? 1 : BACKOFF_MS)
    }
  }
  const write = (milestoneId: string) =>
    repeat(
      () =>
        account.send(
          'createEntry',
          { params: { milestoneId }, body: { title: 'Under load', content: 'One of many.', tags: [] } },
          origin,
        ),
      async (response) => void result.acknowledged.add(((await response.json()) as { _id: string })._id),
    )
  const read = () =>
    repeat(
      () => account.send('listProjects', {}, origin),
      async (response) => {
        await response.json()
        result.read += 1
      },
    )
  const running = [...milestones.map(write), ...Array.from({ length: readers }, read)]
  const stop = async () => {
    stopping.abort()
    await Promise.all(running)
  }
  return {
    result,
    stop,
    async stopAndVerify(at) {
      await stop()
      const found = new Set<string>()
      // One after the other: a client may have only a few streamed responses at once.
      for (const milestoneId of milestones)
        for (const id of await entriesOf(account, milestoneId, at)) found.add(id)
      const lost = [...result.acknowledged].filter((id) => !found.has(id))
      if (lost.length > 0) throw new Error(`${lost.length} acknowledged entries are lost`)
    },
  }
}

async function entriesOf(account: Account, milestoneId: string, origin: string): Promise<string[]> {
  const response = await account.send('listEntries', { params: { milestoneId }, query: {} }, origin)
  if (!response.ok) throw new Error(`the entries could not be read: ${response.status}`)
  return ((await response.json()) as { _id: string }[]).map(({ _id }) => _id)
}

async function countFailure(result: LoadResult, response: Response | null): Promise<void> {
  const text = await response?.text().catch(() => undefined)
  if (!response || text === undefined) result.broken += 1
  else if (isClearError(response, text)) result.refused += 1
  else result.unclear.push(`${response.status} ${text.slice(0, 100)}`)
}

function isClearError(response: Response, text: string): boolean {
  if (response.status !== 503 || !response.headers.get('retry-after')) return false
  try {
    return errorBody.safeParse(JSON.parse(text)).success
  } catch {
    return false
  }
}

/** Summarizes a result in one line. */
export const summarize = ({ acknowledged, read, refused, broken, unclear }: LoadResult) =>
  `${acknowledged.size} written, ${read} read, ${refused} refused with Retry-After, ${broken} broken off, ${unclear.length} unclear`
