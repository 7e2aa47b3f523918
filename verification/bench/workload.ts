import { entryWriter, subjects } from '#scripts/demo/content.ts'
import { seeded } from '#scripts/demo/random.ts'
import { type Account, createAccount } from '#testing/account.ts'
import type { RunningServer } from '#testing/start-server.ts'
import { portOf, type Request } from './requests.ts'
import type { Stage } from './stage.ts'

/** An account with a project, one milestone and a number of entries. */
export type Writer = {
  account: Account
  /** The headers of its requests. */
  headers: { authorization: string }
  projectId: string
  milestoneId: string
}

/** Creates a writer over HTTP; `account` is an existing account to use. */
export async function writer(origin: string, entries: number, account?: Account): Promise<Writer> {
  const known = account ?? (await createAccount(origin))
  const project = await known.call('createProject', {
    body: { title: 'Cedar strip canoe', description: 'Built in winter', isPublic: false },
  })
  const params = { projectId: project._id }
  const milestone = await known.call('createMilestone', {
    params,
    body: { title: 'Hull', description: 'Strips, glue, patience', completed: false },
  })
  const milestoneParams = { milestoneId: milestone._id }
  for (const body of someEntries(entries)) await known.call('createEntry', { params: milestoneParams, body })
  return {
    account: known,
    headers: { authorization: `Bearer ${known.token}` },
    ...params,
    ...milestoneParams,
  }
}

/** Returns realistic entries, the same ones each time. */
export function someEntries(count: number) {
  const [subject] = subjects
  if (!subject) throw new Error('there is no subject to write about')
  return Array.from({ length: count }, entryWriter(subject, seeded(1)))
}

/** The number of entries on one page of a public project. */
export const ENTRIES = 12

export type PublicPage = { server: RunningServer; databaseUrl: string; writer: Writer; request: Request }

/** Starts a server with a public project; `request` is a visitor's request for its page. */
export async function publicPage(stage: Stage): Promise<PublicPage> {
  const databaseUrl = await stage.database()
  const server = await stage.server({ DATABASE_URL: databaseUrl })
  const made = await writer(server.url, ENTRIES)
  await publish(made)
  return { server, databaseUrl, writer: made, request: visitTo(server, made) }
}

/** Publishes the project of a writer. */
export async function publish({ account, projectId }: Writer): Promise<void> {
  const body = { title: 'Cedar strip canoe', description: 'Built in winter', isPublic: true }
  await account.call('updateProject', { params: { projectId }, body })
}

/** Returns a visitor's request for the project of a writer. */
export function visitTo({ url }: Pick<RunningServer, 'url'>, { projectId }: Writer): Request {
  return { port: portOf(url), path: `/world/${projectId}`, headers: { 'accept-encoding': 'br, gzip' } }
}
