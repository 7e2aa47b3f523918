import { Socket } from 'node:net'
import { finished, pipeline } from 'node:stream/promises'
import { Client, type ClientBase, type PoolConfig } from 'pg'
import { from, to } from 'pg-copy-streams'
import { KEEP_ALIVE, removeTimeLimits } from '#server/database/connect.ts'
import { settleSession } from '#server/database/session.ts'
import { quoted, TABLES } from './tables.ts'

export type Table = { name: string; columns: string[] }

/**
 * Begins the snapshot in which the entire backup is read. First locks the tables against schema changes: a table that is
 * rewritten meanwhile would look empty in an older snapshot.
 */
export async function beginSnapshot(client: ClientBase): Promise<void> {
  const tables = await findTables(client)
  await client.query('begin isolation level repeatable read read only')
  await fixTextFormat(client)
  if (tables.length > 0)
    await client.query(`lock table ${tables.map(({ name }) => quoted(name)).join(', ')} in access share mode`)
}

/** Stores that a backup was made, for administrators. An older database has no table for it. */
export async function recordBackup(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('last_backup') is not null as found`,
  )
  if (rows[0]?.found)
    await client.query(
      'insert into last_backup (made_at) values (now()) on conflict (only_row) do update set made_at = now()',
    )
}

/** Makes the text format of copies in the current transaction independent of the server's settings. */
export async function fixTextFormat(client: ClientBase): Promise<void> {
  await client.query(`
    set local client_encoding = 'UTF8';
    set local datestyle = 'ISO';
    set local timezone = 'UTC';
    set local extra_float_digits = 1`)
}

/** Returns Milepost's tables in the database, with the columns that are not generated, in the order of TABLES. */
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

/** Returns the foreign keys between the tables. */
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

/** Returns the migrations of the database, in order. */
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

/** The images of a database from before migration 0060 are stored like the files that it makes of them. */
const storedIn = {
  images: `select id, 0 as attempt, '{800,2400}'::integer[] as widths, false as animated, 'image/webp' as type
    from images where remove_after is null`,
  files: `select id, attempt, widths, animated, type from files where state = 'ready'`,
}

/** Returns at most `limit` files whose bytes are stored, after the given id. */
export async function findFiles(
  client: ClientBase,
  table: keyof typeof storedIn,
  after: string,
  limit: number,
): Promise<StoredFile[]> {
  const { rows } = await client.query<StoredFile>(`${storedIn[table]} and id > $1 order by id limit $2`, [
    after,
    limit,
  ])
  return rows
}

type StoredFile = { id: string; attempt: number; widths: number[]; animated: boolean; type: string }

/** Returns the queues with unfinished jobs. */
export async function findQueues(client: ClientBase): Promise<string[]> {
  const there = await client.query<{ there: boolean }>(`select to_regclass('jobs.job') is not null as there`)
  if (!there.rows[0]?.there) return []
  const { rows } = await client.query<{ name: string }>(
    `select distinct name from jobs.job where state < 'completed' order by name`,
  )
  return rows.map(({ name }) => name)
}

/** Returns unfinished jobs of a queue after the given id, in the format that pg-boss inserts. */
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
 * Runs a task on a separate connection without time limits, which is closed if the task fails or is aborted. The server
 * then rolls back what was not committed. There is no other way to end an interrupted COPY. TCP keepalive prevents the
 * connection from being dropped while it is idle, for example while a backup reads files.
 */
export async function onConnection<T>(
  { config, stop }: { config: PoolConfig; stop: AbortSignal },
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const socket = new Socket()
  const client = new Client({ ...config, ...KEEP_ALIVE, application_name: name, stream: () => socket })
  // The pending query also rejects.
  client.on('error', () => undefined)
  const cut = () => socket.destroy()
  stop.addEventListener('abort', cut)
  try {
    stop.throwIfAborted()
    await client.connect()
    await settleSession(client)
    await removeTimeLimits(client)
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

/** The number of bytes of a table that are held in memory at a time. */
const CHUNK = 1024 * 1024

/** Passes on a table's rows in PostgreSQL's text format, in chunks of about a megabyte; returns the number of rows. */
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
  /** Resolves once there is room for the next chunk. */
  write(chunk: Buffer): Promise<void>
  /** Returns the number of rows. */
  end(): Promise<number>
}

/** Inserts a table's rows in the format of `copyOut`. */
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
