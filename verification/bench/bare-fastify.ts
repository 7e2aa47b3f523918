import { fastify } from 'fastify'
import { Pool } from 'pg'
import type { Statement } from './statements.ts'

/**
 * The cost of Fastify and pg alone: for each request, runs the statements of its first message sequentially on one connection,
 * and responds with their rows.
 */
process.once('message', (config: { databaseUrl: string; statements: Statement[] }) => void serve(config))

async function serve({ databaseUrl, statements }: { databaseUrl: string; statements: Statement[] }) {
  const pool = new Pool({ connectionString: databaseUrl, max: 10 })
  const app = fastify()
  app.get('/*', async () => {
    const client = await pool.connect()
    try {
      const found = []
      for (const statement of statements) found.push((await client.query(statement)).rows)
      return found
    } finally {
      client.release()
    }
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  process.send?.(Number(new URL(address).port))
}
