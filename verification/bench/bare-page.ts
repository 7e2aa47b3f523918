import { fastify } from 'fastify'
import { Pool } from 'pg'
import type { Statement } from './statements.ts'

type Setup = {
  databaseUrl: string
  /** The query for versions. Its only value is the list of project ids. */
  statement: Statement
  projectId: string
  status: number
  headers: Record<string, string>
  /** In base64. */
  body: string
  /** Whether Fastify logs requests, in its own way. */
  logs: boolean
}

/**
 * The cost of a cached page with Fastify and pg alone: queries the project's version, with one query for all requests of one
 * turn of the event loop, and sends constant bytes.
 */
process.once('message', (setup: Setup) => void serve(setup))

async function serve({ databaseUrl, statement, projectId, status, headers, body, logs }: Setup) {
  const pool = new Pool({ connectionString: databaseUrl, max: 10 })
  const bytes = Buffer.from(body, 'base64')
  let batch: { ids: string[]; found: Promise<Set<string>> } | undefined

  async function query(ids: string[]) {
    await new Promise(setImmediate)
    batch = undefined
    const { rows } = await pool.query<{ id: string }>({ ...statement, values: [ids] })
    return new Set(rows.map(({ id }) => id))
  }

  async function isPublic(id: string) {
    if (!batch) {
      const ids: string[] = []
      batch = { ids, found: query(ids) }
    }
    batch.ids.push(id)
    return (await batch.found).has(id)
  }

  const app = fastify({ logger: logs })
  app.get('/*', async (_request, reply) => {
    if (!(await isPublic(projectId))) return reply.code(404).send()
    return reply
      .code(status)
      .headers(headers)
      .send(status === 304 ? undefined : bytes)
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  process.send?.(Number(new URL(address).port))
}
