import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { calls } from '#contract/calls.ts'
import { type Disk, isLow, watchDisk } from '#server/platform/disk.ts'
import { loggedPath } from '#server/platform/log/logger.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { handleErrors } from './error-handler.ts'
import { mountHealth } from './health.ts'

let t: TestApp
let person: Person
beforeAll(async () => {
  t = await testApp()
  person = await t.person()
})
afterAll(() => t.close())

describe('the API', () => {
  it('returns a message and a code for malformed JSON, a wrong content type and an unknown call', async () => {
    const send = (payload: string, type: string) =>
      t.app.inject({
        method: 'POST',
        url: '/api/projects',
        headers: { ...person.headers, 'content-type': type },
        payload,
      })
    const broken = await send('{"title":', 'application/json')
    expect([broken.statusCode, broken.json().code]).toEqual([400, 'invalid'])
    expect(broken.json().issues).toEqual([{ path: '', message: broken.json().message }])
    const odd = await send('<a/>', 'application/xml')
    expect([odd.statusCode, odd.json().code]).toEqual([415, 'unsupported_media'])
    const large = await send(JSON.stringify({ title: 'x'.repeat(2_100_000) }), 'application/json')
    expect([large.statusCode, large.json().code]).toEqual([413, 'too_large'])
    const unknown = await t.app.inject({ method: 'GET', url: '/api/project' })
    expect([unknown.statusCode, unknown.json()]).toEqual([
      404,
      { code: 'not_found', message: 'The API has nothing at this address' },
    ])
  })

  it('returns 404 with the sentence of the call for an id or a token of any length', async () => {
    const long = 'a'.repeat(8_000)
    for (const [method, url, message] of [
      ['GET', `/api/projects/${long}`, 'Project not found'],
      ['DELETE', `/api/notifications/${long}`, 'Notification not found'],
      ['POST', `/api/collaborators/decline/${long}`, 'This invitation link is invalid or has expired.'],
    ] as const) {
      const response = await t.app.inject({ method, url, headers: person.headers })
      expect([response.statusCode, response.json()]).toEqual([404, { code: 'not_found', message }])
    }
  })

  it('returns the allowed methods of a path for any method', async () => {
    const { _id } = await t.project(person)
    for (const [method, url, allowed] of [
      ['PATCH', '/api/projects', 'GET, HEAD, POST'],
      ['OPTIONS', `/api/projects/${_id}?x=1`, 'DELETE, GET, HEAD, PUT'],
      ['POST', '/api/notifications/unread-count', 'DELETE, GET, HEAD'],
      ['DELETE', '/api/events', 'GET'],
    ] as const) {
      const response = await t.app.inject({ method, url, headers: { 'x-http-method-override': 'GET' } })
      expect([response.statusCode, response.json().code]).toEqual([405, 'wrong_method'])
      expect(response.headers.allow).toBe(allowed)
      expect(response.headers['access-control-allow-methods']).toBeUndefined()
    }
  })

  it('returns 400 for a truncated or malformed form', async () => {
    const { _id: projectId } = await t.project(person)
    const { _id: milestoneId } = await t.milestone(person, projectId)
    for (const payload of ['--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nA tit', 'no form']) {
      const response = await t.app.inject({
        method: 'POST',
        url: `/api/milestones/${milestoneId}/entries`,
        headers: { ...person.headers, 'content-type': 'multipart/form-data; boundary=x' },
        payload,
      })
      expect([response.statusCode, response.json().code]).toEqual([400, 'invalid'])
      expect(response.json().issues).toHaveLength(1)
    }
  })

  it('refuses a form with more fields or files than any call uses', async () => {
    const { _id: projectId } = await t.project(person)
    const { _id: milestoneId } = await t.milestone(person, projectId)
    const part = (name: string) => `--x\r\nContent-Disposition: form-data; name=${name}\r\n\r\n1\r\n`
    for (const payload of [part('"a"').repeat(90), part('"image"; filename="a.png"').repeat(3)]) {
      const response = await t.app.inject({
        method: 'POST',
        url: `/api/milestones/${milestoneId}/entries`,
        headers: { ...person.headers, 'content-type': 'multipart/form-data; boundary=x' },
        payload: `${payload}--x--\r\n`,
      })
      expect([response.statusCode, response.json().message]).toEqual([
        400,
        'The form has too many fields or files',
      ])
    }
  })

  it.each(['1e3', '0x10', ' 2', '2.0', '', '+1', '1&page=2', '-1'])(
    'accepts only digits for a number in a query, not %s',
    async (page) => {
      const response = await t.app.inject({ url: `/api/notifications?page=${page}`, headers: person.headers })
      expect([response.statusCode, response.json().code]).toEqual([400, 'invalid'])
    },
  )

  it('treats an empty JSON body as no body, and refuses invalid JSON', async () => {
    const project = await t.project(person)
    const send = (method: 'DELETE' | 'POST', url: string, type: string, payload?: string) =>
      t.app.inject({
        method,
        url,
        headers: { ...person.headers, 'content-type': type },
        ...(payload && { payload }),
      })
    expect((await send('DELETE', `/api/projects/${project._id}`, 'application/json')).statusCode).toBe(204)
    const nothing = await send('POST', '/api/projects', 'application/json')
    expect([nothing.statusCode, nothing.json().message]).toEqual([400, 'The body must be an object'])
    const broken = await send('POST', '/api/projects', 'application/json', '{"title":"x",}')
    expect([broken.statusCode, broken.json().message]).toEqual([
      400,
      'The body is not valid JSON. It arrived as {"title":"x",}',
    ])
    // As Windows PowerShell passes '{"title":"x","description":"y"}' to a program.
    const bare = await send(
      'POST',
      '/api/projects',
      'application/json',
      '{title:A canoe of cedar strips,description:y}',
    )
    expect(bare.json().message).toBe(
      'The body is not valid JSON. It arrived as {title:A canoe of cedar strips,descripti…',
    )
    const untyped = await send('POST', '/api/projects', 'text/plain', '{}')
    expect([untyped.statusCode, untyped.json().message]).toEqual([
      415,
      'Send the body as JSON, with the header Content-Type: application/json',
    ])
  })

  it.each([
    ['application/json', Buffer.from('{"title":"caf\xe9","description":"d"}', 'latin1'), 400],
    ['application/json; charset=utf-8', Buffer.from('{"title":"caf\xe9","description":"d"}', 'latin1'), 400],
    ['application/json', Buffer.from('{"title":"café","description":"d"}', 'utf16le'), 400],
    [
      'application/json; charset=ISO-8859-1',
      Buffer.from('{"title":"caf\xe9","description":"d"}', 'latin1'),
      201,
    ],
    [
      'application/json;charset="utf-16le"',
      Buffer.from('{"title":"café","description":"d"}', 'utf16le'),
      201,
    ],
    ['application/json', Buffer.from('\ufeff{"title":"café","description":"d"}'), 201],
    ['application/json; charset=klingon', Buffer.from('{"title":"café","description":"d"}'), 415],
  ])('never stores other letters than those of the body: %s', async (type, payload, status) => {
    const headers = { ...person.headers, 'content-type': type }
    const response = await t.app.inject({ method: 'POST', url: '/api/projects', headers, payload })
    expect([response.statusCode, response.json().title]).toEqual([
      status,
      status === 201 ? 'café' : undefined,
    ])
  })

  it('says that it reads no compressed body', async () => {
    const headers = { ...person.headers, 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const payload = gzipSync('{"title":"x","description":"y"}')
    const response = await t.app.inject({ method: 'POST', url: '/api/projects', headers, payload })
    expect([response.statusCode, response.json().message]).toEqual([
      415,
      'Send the body without compression: no Content-Encoding is read',
    ])
  })

  it('takes a token after any number of spaces', async () => {
    const authorization = String(person.headers.authorization).replace(' ', '  ')
    const response = await t.app.inject({
      url: '/api/projects',
      headers: { authorization: `${authorization} ` },
    })
    expect(response.statusCode).toBe(200)
  })

  it.each(['Token mp_1', 'mp_1', 'Bearer "mp_1"', 'Bearer'])(
    'says in which form it takes a token: not %s',
    async (authorization) => {
      const response = await t.app.inject({ url: '/api/projects', headers: { authorization } })
      expect([response.statusCode, response.json()]).toEqual([
        401,
        {
          code: 'not_signed_in',
          message: 'Send the token in the form “Authorization: Bearer” and the token, without quotes',
        },
      ])
    },
  )

  it('says that it takes JSON, where a form is sent to a call without files', async () => {
    const headers = { ...person.headers, 'content-type': 'multipart/form-data; boundary=x' }
    const payload = '--x\r\ncontent-disposition: form-data; name="title"\r\n\r\nA canoe\r\n--x--\r\n'
    const response = await t.app.inject({ method: 'POST', url: '/api/projects', headers, payload })
    expect([response.statusCode, response.json().code]).toEqual([415, 'unsupported_media'])
  })

  it('leads from its root to its description', async () => {
    const response = await t.app.inject('/api')
    expect([response.statusCode, response.headers.location]).toEqual([302, '/api/docs'])
  })

  it('removes keys that could reach a prototype', async () => {
    const response = await t.app.inject({
      method: 'POST',
      url: '/api/projects',
      headers: { ...person.headers, 'content-type': 'application/json' },
      payload: '{"title":"x","description":"y","__proto__":{"isPublic":true},"constructor":{"prototype":{}}}',
    })
    expect([response.statusCode, response.json().isPublic]).toEqual([201, false])
  })

  it('treats a malformed id as absent', async () => {
    for (const projectId of ['1', '../etc', '%00', "' or 1=1 --", '0199f1f0-0000-7000-8000-00000000000g']) {
      const error = await t.refused('readProject', { params: { projectId } }, { as: person })
      expect(error).toMatchObject({ status: 404, code: 'not_found', message: 'Project not found' })
    }
  })

  it('refuses an invalid bearer token, even if none is required', async () => {
    for (const authorization of ['', 'Bearer', 'Bearer x.y.z', 'Bearer a b']) {
      const error = await t.refused(
        'readPermissions',
        { params: { projectId: 'x' } },
        { headers: { authorization } },
      )
      expect(error).toMatchObject({ status: 401, code: 'not_signed_in' })
    }
  })

  it('is never cached, and returns a request id that it generates', async () => {
    const response = await t.app.inject({ url: '/api/projects/stats', headers: { 'x-request-id': 'mine' } })
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(response.headers['content-security-policy']).toContain("default-src 'none'")
    expect(response.headers['x-content-type-options']).toBe('nosniff')
    expect(response.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('describes each of its calls in OpenAPI 3.1, and serves a page that shows it', async () => {
    const document = (await t.app.inject('/api/openapi.json')).json()
    expect(document.openapi).toMatch(/^3\.1/)
    const described = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>)
      .flatMap((methods) => Object.values(methods))
      .map((operation) => operation.operationId)
    expect(described.toSorted()).toEqual([...Object.keys(calls), 'listenToEvents'].toSorted())
    const page = await t.app.inject('/api/docs/')
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toMatch(
      /^default-src 'self'; script-src 'self';.* frame-ancestors 'none'; form-action 'none'$/,
    )
    expect(policy).not.toMatch(/unsafe|\w\.\w/)
  })
})

describe('health', () => {
  it('reports liveness and readiness', async () => {
    expect((await t.app.inject('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await t.app.inject('/readyz')).json()).toEqual({ status: 'ready' })
  })
})

describe('a full disk', () => {
  const failing = async (error: Error & { code?: string }, disk: Disk) => {
    const app = fastify()
    handleErrors(app, disk)
    await mountHealth(app, t.deps.db, { rateLimit: false, disk })
    app.get('/save', () => {
      throw error
    })
    return app
  }
  const coded = (code: string) => Object.assign(new Error('could not be written'), { code })

  it.each(['ENOSPC', 'EDQUOT', '53100'])(
    'is told to people, and to the load balancer for half a minute: %s',
    async (code) => {
      let now = 0
      const app = await failing(
        coded(code),
        watchDisk(undefined, () => new Date(now + 1e12)),
      )
      expect((await app.inject('/readyz')).statusCode).toBe(200)
      const saving = await app.inject('/save')
      expect([saving.statusCode, saving.json().code]).toEqual([503, 'storage_full'])
      expect(saving.json().message).toContain('The disk of the server is full')
      expect((await app.inject('/readyz')).json().code).toBe('storage_full')
      now += 31_000
      expect((await app.inject('/readyz')).statusCode).toBe(200)
    },
  )

  it('is the reason that is given if the database stopped because of it', async () => {
    const full = { ...watchDisk(undefined, () => new Date()), isFull: async () => true }
    const app = await failing(coded('ECONNREFUSED'), full)
    expect((await app.inject('/save')).json().code).toBe('storage_full')
    const other = await failing(coded('ECONNREFUSED'), t.deps.disk)
    expect((await other.inject('/save')).json().code).toBe('unavailable')
  })

  it('is low before, measured where the data directory is', async () => {
    const space = await watchDisk('.', () => new Date()).readSpace()
    expect(space?.total).toBeGreaterThan(space?.free ?? 0)
    expect(isLow({ free: 1e9, total: 100e9 })).toBe(true)
    expect(isLow({ free: 3e9, total: 100e9 })).toBe(false)
    expect(isLow({ free: 1e9, total: 5e9 })).toBe(false)
  })
})

describe('a server that drains', () => {
  it('finishes running requests, and refuses further ones on the same connection with Retry-After', async () => {
    const app = fastify({ return503OnClosing: false })
    handleErrors(app, t.deps.disk)
    await mountHealth(app, t.deps.db, { rateLimit: false, disk: t.deps.disk })
    const reached = Promise.withResolvers<void>()
    const mayFinish = Promise.withResolvers<void>()
    app.get('/slow', async () => {
      reached.resolve()
      await mayFinish.promise
      return 'slow work, done'
    })
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const socket = connect(Number(port), '127.0.0.1')
    let answers = ''
    socket.on('data', (data) => {
      answers += data.toString()
    })
    socket.write('GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await reached.promise
    const closing = app.close()
    await vi.waitFor(() => expect(app.server.listening).toBe(false), { timeout: 60_000 })
    socket.write('GET /slow HTTP/1.1\r\nhost: localhost\r\n\r\n')
    mayFinish.resolve()
    await vi.waitFor(() => expect(answers).toContain('shutting down'), { timeout: 60_000 })
    expect(answers).toMatch(/200 OK[^]*slow work, done[^]*503 Service Unavailable[^]*retry-after: 5/)
    socket.destroy()
    await closing
  })
})

describe('logged paths', () => {
  it('contain no query and no token of an emailed link', () => {
    expect(loggedPath('/login?redirect=%2Finvite%2Fsecret')).toBe('/login')
    expect(loggedPath('/invite/secret')).toBe('/invite/[token]')
    expect(loggedPath('/INVITE//secret')).toBe('/INVITE/[token]')
    expect(loggedPath('/invite%2Fsecret')).toBe('/invite/[token]')
    expect(loggedPath('/reset-password/secret')).toBe('/reset-password/[token]')
    expect(loggedPath('/verify-email/secret.data')).toBe('/verify-email/[token]')
    expect(loggedPath('/api/collaborators/accept/secret?x=1')).toBe('/api/collaborators/accept/[token]')
  })
})
