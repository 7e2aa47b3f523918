import { randomUUID } from 'node:crypto'
import type { Aim, Row } from './row.ts'
import type { Stage } from './stage.ts'
import { recordingServer } from './statements.ts'
import { someEntries, writer } from './workload.ts'

/** Enough to see one during which no scheduled task sends a statement. */
const TIMES = 3

type Frequent = { name: string; what: string; aim?: Aim }

/** The frequent calls, which `counted` makes under these names. */
const FREQUENT: Frequent[] = [
  { name: 'create-entry', what: 'POST of an entry', aim: { atMost: 9 } },
  { name: 'create-typed', what: 'POST of an entry as the composer sends it', aim: { atMost: 9 } },
  { name: 'update-text', what: 'PUT of the text of an entry', aim: { atMost: 9 } },
  { name: 'update-title', what: 'PUT of the title of an entry', aim: { atMost: 9 } },
  { name: 'page', what: 'GET of a page of entries', aim: { atMost: 3 } },
  { name: 'read-entry', what: 'GET of an entry' },
  { name: 'create-milestone', what: 'POST of a milestone' },
  { name: 'create-project', what: 'POST of a project' },
  { name: 'update-project', what: 'PUT of a project' },
  { name: 'delete-entry', what: 'DELETE of an entry' },
  { name: 'save-draft', what: 'PUT of a draft' },
]

/** The statements up to the response of each frequent call, by name. */
const counts = new WeakMap<Stage, Promise<Map<string, number>>>()

/** One row for each frequent call: the round trips to the database up to its response. */
export const roundTripRows: Row[] = FREQUENT.map(({ name, what, aim }) => ({
  name: `round-trips-${name}`,
  what: `${what}: statements up to the response`,
  unit: ' ',
  ...(aim && { aim }),
  async measure(_stage, shared) {
    const counting = counts.get(shared) ?? counted(shared)
    counts.set(shared, counting)
    const value = (await counting).get(name) ?? Number.NaN
    return { value, low: value, high: value, ours: String(value), baseline: '' }
  },
}))

async function counted(stage: Stage): Promise<Map<string, number>> {
  const { server, until } = await recordingServer(stage, await stage.database())
  const { account, projectId, milestoneId } = await writer(server.url, 12)
  const found = new Map<string, number>()
  async function count<Made>(name: string, act: (made: Made) => Promise<unknown>, make: () => Promise<Made>) {
    await act(await make())
    const totals: number[] = []
    for (let time = 0; time < TIMES; time += 1) {
      const made = await make()
      const statements = await until(() => act(made))
      // Members are notified on another connection.
      totals.push(statements.filter(({ text }) => !text.includes('pg_notify')).length)
    }
    found.set(name, Math.min(...totals))
  }

  const [body] = someEntries(1)
  if (!body) throw new Error('there is nothing to write')
  const { token } = account
  const [ofMilestone, ofProject] = [{ milestoneId }, { projectId }]
  const params = {
    ...ofMilestone,
    entryId: (await account.call('createEntry', { params: ofMilestone, body }))._id,
  }
  const create = () => account.call('createEntry', { params: ofMilestone, body })
  const draft = async () => {
    const draftId = randomUUID()
    await account.call('saveDraft', {
      params: { draftId },
      body: { title: body.title, content: body.content },
    })
    return draftId
  }
  const typed = { ...body, happenedAt: new Date().toISOString(), happenedZone: 'Europe/Zurich' }
  const page = `${server.url}/api/milestones/${milestoneId}/entries?page=1&limit=24`
  const about = { title: 'Hull', description: 'Strips, glue, patience' }
  let times = 0
  const next = async () => `Save ${(times += 1)}`

  await count('create-entry', create, next)
  await count(
    'create-typed',
    (id) => account.call('createEntry', { params: ofMilestone, body: { ...typed, _id: id, draft: id } }),
    draft,
  )
  await count('update-text', (content) => account.call('updateEntry', { params, body: { content } }), next)
  await count('update-title', (title) => account.call('updateEntry', { params, body: { title } }), next)
  await count('page', () => fetch(page, { headers: { authorization: `Bearer ${token}` } }), next)
  await count('read-entry', () => account.call('readEntry', { params }), next)
  await count(
    'create-milestone',
    () => account.call('createMilestone', { params: ofProject, body: about }),
    next,
  )
  await count('create-project', () => account.call('createProject', { body: about }), next)
  await count(
    'update-project',
    (title) => account.call('updateProject', { params: ofProject, body: { title } }),
    next,
  )
  await count(
    'delete-entry',
    ({ _id: entryId }) => account.call('deleteEntry', { params: { ...ofMilestone, entryId } }),
    create,
  )
  await count('save-draft', draft, next)
  await server.stop()
  return found
}
