import type { PoolClient, QueryResult } from 'pg'
import { from } from 'pg-copy-streams'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from './testing.ts'

let database: Awaited<ReturnType<typeof testDatabase>>
let client: PoolClient
beforeAll(async () => {
  database = await testDatabase()
  client = await database.pool.connect()
})
afterAll(async () => {
  client.release()
  await database.close()
})

describe('a connection of the pool', () => {
  it('runs a statement with or without parameters', async () => {
    expect((await client.query('select 1 as found')).rows).toEqual([{ found: 1 }])
    expect((await client.query('select $1::int as found', [2])).rows).toEqual([{ found: 2 }])
  })

  it('rejects with an error whose stack contains the caller, and can be used again', async () => {
    const askNonsense = async () => await client.query('select nonsense')
    const error = await askNonsense().catch((rejected: Error) => rejected)
    expect(error).toMatchObject({ code: '42703', stack: expect.stringContaining('askNonsense') })
    expect((await client.query('select 1 as found')).rows).toEqual([{ found: 1 }])
  })

  it('passes callbacks, query configs and streams to pg', async () => {
    const called = await new Promise<QueryResult>((resolve, reject) =>
      client.query('select $1::int as found', [3], (error, result) =>
        error ? reject(error) : resolve(result),
      ),
    )
    expect(called.rows).toEqual([{ found: 3 }])
    expect((await client.query({ text: 'select 4', rowMode: 'array' })).rows).toEqual([[4]])
    await client.query('create temporary table copied (line text)')
    const stream = client.query(from('copy copied from stdin'))
    await new Promise((resolve, reject) => {
      stream.on('finish', () => resolve(undefined)).on('error', reject)
      stream.end('one\ntwo\n')
    })
    expect((await client.query('select count(*) as lines from copied')).rows).toEqual([{ lines: 2 }])
  })
})
