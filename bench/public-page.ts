import type { RunningServer } from '#e2e/start-server.ts'
import { portOf, type Request } from './requests.ts'
import type { Stage } from './stage.ts'
import { type Writer, writer } from './writer.ts'

/** As many as one page of a public project shows. */
export const ENTRIES = 12

export type PublicPage = { server: RunningServer; databaseUrl: string; writer: Writer; request: Request }

/** A server with a public project, and how a visitor asks for its page. */
export async function publicPage(stage: Stage): Promise<PublicPage> {
  const databaseUrl = await stage.database()
  const server = await stage.server({ DATABASE_URL: databaseUrl })
  const made = await writer(server.url, ENTRIES)
  await publish(made)
  return { server, databaseUrl, writer: made, request: visitTo(server, made) }
}

/** Makes the project of a writer public. */
export async function publish({ person, projectId }: Writer): Promise<void> {
  const body = { title: 'Cedar strip canoe', description: 'Built in winter', isPublic: true }
  await person.call('updateProject', { params: { projectId }, body })
}

/** The request of a visitor for the project of a writer. */
export function visitTo({ url }: Pick<RunningServer, 'url'>, { projectId }: Writer): Request {
  return { port: portOf(url), path: `/world/${projectId}`, headers: { 'accept-encoding': 'br, gzip' } }
}
