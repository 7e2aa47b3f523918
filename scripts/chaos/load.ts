import { setTimeout as sleep } from 'node:timers/promises'
import { errorBody } from '#contract/errors.ts'
import type { Person } from './person.ts'
import { makeStory } from './story.ts'

/** What became of the requests of a load. */
export type Outcome = {
  /** The ids of the entries whose writing was acknowledged. */
  acknowledged: Set<string>
  /** Reads that were answered in full. */
  read: number
  /** Refusals that say what is the matter and when to come back. */
  refused: number
  /** Connections that broke before an answer. */
  broken: number
  /** Answers that are neither a success nor such a refusal, and their beginning. */
  unclear: string[]
}

export type Load = {
  outcome: Outcome
  /** Ends it, and throws unless every acknowledged entry is found at `at`. */
  stopAndFind(at: string): Promise<void>
  stop(): Promise<void>
}

const PAUSE_MS = 50

/** Writes and reads without end, each writer in a project of its own. */
export async function startLoad(person: Person, at: string, writers = 4, readers = 2): Promise<Load> {
  const milestones = await Promise.all(
    Array.from({ length: writers }, async () => (await makeStory(person)).milestoneId),
  )
  const outcome: Outcome = { acknowledged: new Set(), read: 0, refused: 0, broken: 0, unclear: [] }
  const ending = new AbortController()
  const until = async (work: () => Promise<Response>, done: (answer: Response) => Promise<void>) => {
    while (!ending.signal.aborted) {
      const answer = await work().catch(() => null)
      if (answer?.ok) await done(answer).catch(() => (outcome.broken += 1))
      else await note(outcome, answer)
      await sleep(answer?.ok ? 1 : PAUSE_MS)
    }
  }
  const write = (milestoneId: string) =>
    until(
      () =>
        person.send(
          'createEntry',
          { params: { milestoneId }, body: { title: 'Under load', content: 'One of many.', tags: [] } },
          at,
        ),
      async (answer) => void outcome.acknowledged.add(((await answer.json()) as { _id: string })._id),
    )
  const read = () =>
    until(
      () => person.send('listProjects', {}, at),
      async (answer) => {
        await answer.json()
        outcome.read += 1
      },
    )
  const running = [...milestones.map(write), ...Array.from({ length: readers }, read)]
  const stop = async () => {
    ending.abort()
    await Promise.all(running)
  }
  return {
    outcome,
    stop,
    async stopAndFind(place) {
      await stop()
      const found = new Set((await Promise.all(milestones.map((id) => entriesOf(person, id, place)))).flat())
      const lost = [...outcome.acknowledged].filter((id) => !found.has(id))
      if (lost.length > 0) throw new Error(`${lost.length} acknowledged entries are lost`)
    },
  }
}

async function entriesOf(person: Person, milestoneId: string, at: string): Promise<string[]> {
  const answer = await person.send('listEntries', { params: { milestoneId }, query: {} }, at)
  if (!answer.ok) throw new Error(`what was written could not be read: ${answer.status}`)
  return ((await answer.json()) as { _id: string }[]).map(({ _id }) => _id)
}

/** Counts what was no success. */
async function note(outcome: Outcome, answer: Response | null): Promise<void> {
  const text = await answer?.text().catch(() => undefined)
  if (!answer || text === undefined) outcome.broken += 1
  else if (isClear(answer, text)) outcome.refused += 1
  else outcome.unclear.push(`${answer.status} ${text.slice(0, 100)}`)
}

function isClear(answer: Response, text: string): boolean {
  if (answer.status !== 503 || !answer.headers.get('retry-after')) return false
  try {
    return errorBody.safeParse(JSON.parse(text)).success
  } catch {
    return false
  }
}

/** An outcome in a line. */
export const told = ({ acknowledged, read, refused, broken, unclear }: Outcome) =>
  `${acknowledged.size} written, ${read} read, ${refused} refused with a time to come back, ${broken} broken off, ${unclear.length} unclear`
