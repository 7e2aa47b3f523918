import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { closeMetricsServer, createMetricsServer, openMetricsServer } from './metrics.ts'
import { createMetrics } from './prometheus.ts'

const TOKEN = 'a-secret-that-only-Prometheus-has-been-told'

let t: TestApp
let app: FastifyInstance
let person: Person
let figures: ReturnType<typeof createMetrics>
beforeAll(async () => {
  t = await testApp()
  person = await t.person()
  figures = createMetrics(t.pool)
  app = await t.replica({}, { metrics: { figures, token: TOKEN } })
})
afterAll(async () => {
  await app.close()
  await t.close()
})

const read = (authorization?: string) =>
  app.inject({ url: '/metrics', ...(authorization && { headers: { authorization } }) })

describe('metrics', () => {
  it('count responses by route pattern and status class', async () => {
    const { _id } = await t.project(person)
    await app.inject({ url: `/api/projects/${_id}?secret=1`, headers: person.headers })
    await app.inject({ url: `/api/projects/${_id}` })
    await app.inject({ url: `/api/nothing/${_id}` })
    const { body } = await read(`Bearer ${TOKEN}`)
    const count = 'milepost_http_request_duration_seconds_count'
    expect(body).toContain(`${count}{method="GET",route="/api/projects/:projectId",status="2xx"} 1`)
    expect(body).toContain(`${count}{method="GET",route="/api/projects/:projectId",status="4xx"} 1`)
    expect(body).toContain(`${count}{method="GET",route="/api/*",status="4xx"} 1`)
    expect(body).not.toContain(_id)
    expect(body).not.toContain('secret')
  })

  it('cover the process, the event loop, the pool, the streams and the jobs', async () => {
    figures.onJobDone('emails', 'failed')
    const { body } = await read(`Bearer ${TOKEN}`)
    for (const line of [
      /^process_cpu_seconds_total \d/m,
      /^process_resident_memory_bytes \d/m,
      /^nodejs_eventloop_lag_p99_seconds \d/m,
      /^milepost_database_connections\{state="busy"\} \d/m,
      /^milepost_database_connections\{state="waiting"\} 0$/m,
      /^milepost_event_streams 0$/m,
      /^milepost_jobs_total\{queue="emails",outcome="failed"\} 1$/m,
    ])
      expect(body).toMatch(line)
  })

  it('require the token', async () => {
    for (const authorization of [undefined, 'Bearer', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`])
      expect((await read(authorization)).statusCode).toBe(401)
    expect((await read(person.headers.authorization)).statusCode).toBe(401)
  })

  it('are not served unless enabled', async () => {
    expect((await t.app.inject({ url: '/metrics' })).statusCode).toBe(404)
    const withoutToken = await t.replica(
      {},
      { metrics: { figures: createMetrics(t.pool), token: undefined } },
    )
    expect((await withoutToken.inject({ url: '/metrics' })).statusCode).toBe(404)
    await withoutToken.close()
  })

  it('can be served on a separate port, which serves nothing else', async () => {
    const server = createMetricsServer(figures, t.deps.log)
    await openMetricsServer(server, { host: '127.0.0.1', port: 0 })
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect(answer.headers.get('content-type')).toContain('text/plain')
    expect(await answer.text()).toContain('process_cpu_seconds_total')
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
    const taken = createMetricsServer(figures, t.deps.log)
    await expect(openMetricsServer(taken, { host: '127.0.0.1', port })).rejects.toThrow(
      'set METRICS_PORT to a free one',
    )
    await closeMetricsServer(server)
  })
})
