import { Socket } from 'node:net'
import { finished, pipeline } from 'node:stream/promises'
import { Client, type ClientBase, type PoolConfig } from 'pg'
import { from, to } from 'pg-copy-streams'
import { quoted, TABLES } from './tables.ts'

export type Table = { name: string; columns: string[] }

/**
 * Begins the one view of the database that all of a backup is read in. The tables are locked first, against changes
 * of their form alone: a table that is rewritten meanwhile would look empty in an older view.
 */
export async function beginView(client: ClientBase): Promise<void> {
  const tables = await findTables(client)
  await client.query('begin isolation level repeatable read read only')
  await withoutLimits(client)
  if (tables.length > 0)
    await client.query(`lock table ${tables.map(({ name }) => quoted(name)).join(', ')} in access share mode`)
}

/** Copying has no timeout, and its text format does not depend on the server's settings. */
export async function withoutLimits(client: ClientBase): Promise<void> {
  await client.query(`
    set local statement_timeout = 0;
    set local idle_in_transaction_session_timeout = 0;
    set local client_encoding = 'UTF8';
    set local datestyle = 'ISO';
    set local timezone = 'UTC';
    set local extra_float_digits = 1`)
}

/** Milepost's tables that the database has, with the columns that are not computed, in the order of TABLES. */
export async function findTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select t.name, array_agg(a.attname::text order by a.attnum) as columns
     from unnest($1::text[], $2::text[]) with ordinality as t (name, quoted, place)
     join pg_attribute a on a.attrelid = to_regclass(t.quoted)
     where a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by t.name, t.place order by t.place`,
    [TABLES, TABLES.map(quoted)],
  )
  return rows
}

/** Which table refers to which other one. */
export async function findReferences(client: ClientBase): Promise<{ from: string; to: string }[]> {
  const { rows } = await client.query<{ from: string; to: string }>(
    `with own as (select name, to_regclass(quoted) as id from unnest($1::text[], $2::text[]) as t (name, quoted))
     select f.name as "from", t.name as "to" from pg_constraint c
     join own f on f.id = c.conrelid join own t on t.id = c.confrelid
     where c.contype = 'f' and c.conrelid <> c.confrelid`,
    [TABLES, TABLES.map(quoted)],
  )
  return rows
}

/** The migrations that the database has had, in order. */
export async function findMigrations(client: ClientBase): Promise<string[]> {
  const there = await client.query<{ there: boolean }>(
    `select to_regclass('kysely_migration') is not null as there`,
  )
  if (!there.rows[0]?.there) return []
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  return rows.map(({ name }) => name)
}

export async function readServerVersion(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  )
  return rows[0]?.version ?? ''
}

/** Some ids of images that an entry shows, after one of them. */
export async function findImages(client: ClientBase, after: string, limit: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'select id from images where remove_after is null and id > $1 order by id limit $2',
    [after, limit],
  )
  return rows.map(({ id }) => id)
}

/** Some files whose bytes are stored, after the one with this id. */
export async function findFiles(client: ClientBase, after: string, limit: number): Promise<StoredFile[]> {
  const { rows } = await client.query<StoredFile>(
    `select id, attempt, widths, animated from files where state = 'ready' and id > $1 order by id limit $2`,
    [after, limit],
  )
  return rows
}

type StoredFile = { id: string; attempt: number; widths: number[]; animated: boolean }

/** The queues in which work is unfinished. */
export async function findQueues(client: ClientBase): Promise<string[]> {
  const there = await client.query<{ there: boolean }>(`select to_regclass('jobs.job') is not null as there`)
  if (!there.rows[0]?.there) return []
  const { rows } = await client.query<{ name: string }>(
    `select distinct name from jobs.job where state < 'completed' order by name`,
  )
  return rows.map(({ name }) => name)
}

/** Some unfinished jobs of a queue after the one with this id, in the form in which pg-boss takes them. */
export async function findJobs(
  client: ClientBase,
  queue: string,
  after: string,
  limit: number,
): Promise<{ id: string }[]> {
  const { rows } = await client.query<{ job: { id: string } }>(
    `select json_build_object(
       'id', id, 'data', data, 'priority', priority, 'startAfter', start_after, 'expireInSeconds', expire_seconds,
       'retryLimit', retry_limit, 'retryDelay', retry_delay, 'retryBackoff', retry_backoff,
       'retryDelayMax', retry_delay_max) as job
     from jobs.job where name = $1 and state < 'completed' and id > $2 order by id limit $3`,
    [queue, after, limit],
  )
  return rows.map(({ job }) => job)
}

/**
 * Works on a connection of its own, which is cut where the work fails or is stopped: the server then rolls back what
 * was not committed. A COPY that is broken off leaves no other way to end it.
 */
export async function onConnection<T>(
  { config, stop }: { config: PoolConfig; stop: AbortSignal },
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const socket = new Socket()
  const client = new Client({ ...config, application_name: name, stream: () => socket })
  // The query that waits rejects as well.
  client.on('error', () => undefined)
  const cut = () => socket.destroy()
  stop.addEventListener('abort', cut)
  try {
    stop.throwIfAborted()
    await client.connect()
    const result = await work(client)
    await client.end()
    return result
  } catch (error) {
    stop.throwIfAborted()
    throw error
  } finally {
    stop.removeEventListener('abort', cut)
    cut()
  }
}

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
