import { finished, pipeline } from 'node:stream/promises'
import type { ClientBase } from 'pg'
import { from, to } from 'pg-copy-streams'
import type { Table } from './store.ts'
import { quoted } from './tables.ts'

/** How much of a table is held in memory at a time, in bytes. */
const CHUNK = 1024 * 1024

/** Hands a table's rows on in PostgreSQL's text form, in chunks of about a megabyte; returns the number of rows. */
export async function copyOut(
  client: ClientBase,
  { name, columns }: Table,
  take: (chunk: Buffer) => Promise<void>,
): Promise<number> {
  const rows = client.query(to(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) to stdout`))
  await pipeline(rows, async (source: AsyncIterable<Buffer>) => {
    let held: Buffer[] = []
    let size = 0
    const pass = async () => {
      const chunk = Buffer.concat(held)
      held = []
      size = 0
      if (chunk.length > 0) await take(chunk)
    }
    for await (const bytes of source) {
      held.push(bytes)
      size += bytes.length
      if (size >= CHUNK) await pass()
    }
    await pass()
  })
  return rows.rowCount
}

export type CopyIn = {
  /** Done once there is room for the next chunk. */
  write(chunk: Buffer): Promise<void>
  /** Returns the number of rows. */
  end(): Promise<number>
}

/** Takes a table's rows as `copyOut` gave them. */
export function copyIn(client: ClientBase, { name, columns }: Table): CopyIn {
  const rows = client.query(from(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) from stdin`))
  const done = finished(rows)
  done.catch(() => undefined)
  return {
    async write(chunk) {
      const written = new Promise<void>((resolve, reject) =>
        rows.write(chunk, (error) => (error ? reject(error) : resolve())),
      )
      await Promise.race([written, done])
    },
    async end() {
      rows.end()
      await done
      return rows.rowCount
    },
  }
}
