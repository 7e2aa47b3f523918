import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { serverMessage } from './api-error.ts'
import { forgetProxy } from './authorization.ts'
import { endSession, exchange, request, session } from './client.ts'
import { storeToken } from './token.ts'

const PROJECT = '0198c0de-0000-7000-8000-000000000001'
const MILESTONE = '0198c0de-0000-7000-8000-000000000002'

const send = vi.fn<(path: string, init: RequestInit) => Promise<Response>>()

/** Returns the sent request, as a server would receive it. */
function sent(): Request {
  const [path = '', init] = send.mock.lastCall ?? []
  return new Request(new URL(path, 'http://localhost'), init)
}

const answers = (status: number, body?: unknown) =>
  send.mockResolvedValueOnce(new Response(body === undefined ? null : JSON.stringify(body), { status }))

/** A server that never responds. */
const untilAborted = (_path: string, { signal }: RequestInit) =>
  new Promise<Response>((_resolve, reject) =>
    signal?.addEventListener('abort', () => reject(signal.reason as Error)),
  )

/** Fakes timers, and the timeouts of signals by them. */
function useFakeTimeouts() {
  vi.useFakeTimers()
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const late = new AbortController()
    setTimeout(() => late.abort(new DOMException('The operation timed out.', 'TimeoutError')), ms)
    return late.signal
  })
}

beforeEach(() => {
  vi.stubGlobal('fetch', send)
  storeToken('token-of-ada')
  forgetProxy()
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  session.refused = () => {}
  session.refreshToken = async () => {}
  storeToken(null)
  forgetProxy()
  send.mockReset()
})

describe('request', () => {
  it('fills the path, sends the token and the body, and returns the response', async () => {
    answers(200, { _id: PROJECT })
    const body = { title: 'Bread', description: 'Sourdough', isPublic: true }
    const answer = await exchange('updateProject', { params: { projectId: PROJECT }, body }, { ifMatch: 3 })
    expect(answer).toEqual({ _id: PROJECT })
    expect(sent().method).toBe('PUT')
    expect(new URL(sent().url).pathname).toBe(`/api/projects/${PROJECT}`)
    expect(sent().headers.get('authorization')).toBe('Bearer token-of-ada')
    expect(sent().headers.get('if-match')).toBe('"3"')
    expect(await sent().json()).toEqual(body)
  })

  it('counts a server that does not respond in time as unreachable', async () => {
    send.mockImplementationOnce(untilAborted)
    await expect(request('listProjects', {}, { timeoutMs: 10 })).rejects.toMatchObject({
      code: 'unreachable',
    })
  })

  it('gives up a read that gets no response for 30 seconds, and no other call', async () => {
    useFakeTimeouts()
    send.mockImplementation(untilAborted)
    const leaving = new AbortController()
    const settled = vi.fn<(error: unknown) => void>()
    const reads = [request('listProjects', {}), request('listProjects', {}, { signal: leaving.signal })]
    for (const reading of reads) reading.catch(settled)
    const params = { projectId: PROJECT }
    exchange('deleteProject', { params }).catch(() => settled('not limited'))
    await vi.advanceTimersByTimeAsync(29_999)
    expect(settled).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    const late = expect.objectContaining({
      code: 'unreachable',
      cause: expect.objectContaining({ name: 'TimeoutError' }),
    })
    expect(settled.mock.calls).toEqual([[late], [late]])
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(settled).toHaveBeenCalledTimes(2)
  })

  it('lets the body of a read arrive slowly, and aborts a read with the signal of its query', async () => {
    useFakeTimeouts()
    const body = Promise.withResolvers<string>()
    let signal: AbortSignal | null | undefined
    send.mockImplementationOnce(async (_path, init) => {
      signal = init.signal
      const stream = new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode(await body.promise))
          controller.close()
        },
      })
      return new Response(stream)
    })
    const reading = request('listProjects', {})
    await vi.advanceTimersByTimeAsync(60_000)
    body.resolve('[]')
    await expect(reading).resolves.toEqual([])
    expect(signal?.aborted).toBe(false)

    send.mockImplementationOnce(untilAborted)
    const leaving = new AbortController()
    const left = request('listProjects', {}, { signal: leaving.signal })
    await vi.advanceTimersByTimeAsync(0)
    leaving.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
  })

  it('aborts the body of a read with the signal of its query', async () => {
    send.mockImplementationOnce(async (_path, { signal }) => {
      const body = new ReadableStream({
        start: (controller) =>
          signal?.addEventListener('abort', () => controller.error(signal.reason as Error)),
      })
      return new Response(body)
    })
    const leaving = new AbortController()
    const begun = Promise.withResolvers<void>()
    const reading = request('listProjects', {}, { signal: leaving.signal, onHeaders: () => begun.resolve() })
    await begun.promise
    leaving.abort(new Error('left'))
    await expect(reading).rejects.toThrow('left')
  })

  it('reads in browsers without AbortSignal.any', async () => {
    vi.stubGlobal('AbortSignal', Object.assign(class extends AbortSignal {}, { any: undefined }))
    answers(200, [])
    const { signal } = new AbortController()
    await expect(request('listProjects', {}, { signal })).resolves.toEqual([])
  })

  it('sends a multipart form if the call requires it, with the tags as JSON', async () => {
    answers(201, {})
    const body = { title: 'Day 1', content: 'Flour', tags: ['bread', 'rye'], coverFile: null }
    await exchange('createEntry', { params: { milestoneId: MILESTONE }, body })
    const form = await sent().formData()
    expect(Object.fromEntries(form)).toEqual({ ...body, tags: '["bread","rye"]', coverFile: '' })
  })

  it('is not sent with the token of the next session', async () => {
    session.refreshToken = async () => endSession()
    const reading = request('readProject', { params: { projectId: PROJECT } })
    await expect(reading).rejects.toMatchObject({ code: 'not_signed_in' })
    expect(send).not.toHaveBeenCalled()
  })

  it('sends no token for a visitor, or if the call needs none', async () => {
    answers(200, {})
    await request('readProject', { params: { projectId: PROJECT } }, { anonymous: true })
    expect(sent().headers.has('authorization')).toBe(false)
    answers(200, {})
    await request('readStats', {})
    expect(sent().headers.has('authorization')).toBe(false)
  })

  it('returns undefined for a response without a body', async () => {
    answers(204)
    await expect(exchange('deleteProject', { params: { projectId: PROJECT } })).resolves.toBeUndefined()
  })

  it('throws an error with everything that the server returned', async () => {
    const issues = [{ path: 'title', message: 'Title is required' }]
    answers(400, { code: 'invalid', message: 'Title is required', issues })
    await expect(request('listProjects', {})).rejects.toMatchObject({
      name: 'ApiError',
      status: 400,
      code: 'invalid',
      message: 'Title is required',
      issues,
    })
    answers(412, { code: 'stale', message: 'Changed', current: { version: 4 } })
    await expect(request('listProjects', {})).rejects.toMatchObject({
      code: 'stale',
      current: { version: 4 },
    })
  })

  it('throws its own error for a response that is not from the API', async () => {
    send.mockResolvedValueOnce(new Response('<h1>Bad gateway</h1>', { status: 502 }))
    await expect(request('listProjects', {})).rejects.toMatchObject({ status: 502, code: 'unavailable' })
    answers(404, { error: 'Not Found', message: 'no', code: 'FST_ERR' })
    await expect(request('listProjects', {})).rejects.toMatchObject({ status: 404, code: 'invalid' })
  })

  it('distinguishes messages of the server from our own', async () => {
    const said = (failing: Promise<unknown>) => failing.catch(serverMessage)
    answers(409, { code: 'conflict', message: 'Somebody is invited already' })
    expect(await said(request('listProjects', {}))).toBe('Somebody is invited already')
    answers(500, {})
    expect(await said(request('listProjects', {}))).toBeUndefined()
    send.mockRejectedValueOnce(new TypeError('fetch failed'))
    expect(await said(request('listProjects', {}))).toBeUndefined()
  })

  it('throws unreachable without a complete response', async () => {
    send.mockRejectedValueOnce(new TypeError('fetch failed'))
    await expect(request('listProjects', {})).rejects.toMatchObject({ status: 0, code: 'unreachable' })
    send.mockResolvedValueOnce(new Response('[{"_id":'))
    await expect(request('listProjects', {})).rejects.toMatchObject({ status: 0, code: 'unreachable' })
  })

  it('passes on that the caller aborted', async () => {
    const abort = new AbortController()
    abort.abort()
    send.mockImplementationOnce((_path, init) => Promise.reject(init.signal?.reason as Error))
    await expect(request('listProjects', {}, { signal: abort.signal })).rejects.toBe(abort.signal.reason)
  })

  it('reports a refused token, and nothing else', async () => {
    const ended = vi.fn<(token: string) => void>()
    session.refused = ended
    answers(401, { code: 'not_signed_in', message: 'Please sign in' })
    await expect(request('listProjects', {})).rejects.toMatchObject({ code: 'not_signed_in' })
    expect(ended).toHaveBeenCalledExactlyOnceWith('token-of-ada')
    answers(401, { code: 'not_signed_in', message: 'Please sign in' })
    await expect(request('listProjects', {}, { anonymous: true })).rejects.toMatchObject({ status: 401 })
    expect(ended).toHaveBeenCalledOnce()
  })
})

describe('behind a proxy with a password', () => {
  const own = () => sent().headers.get('x-milepost-authorization')
  const refuses = (headers: HeadersInit) =>
    send.mockResolvedValueOnce(new Response('<h1>401</h1>', { status: 401, headers }))

  it.each<Record<string, string>>([
    { 'www-authenticate': 'Basic realm="home"' },
    { 'www-authenticate': 'Digest realm="home"', 'content-type': 'text/plain' },
    { 'content-type': 'text/html; charset=utf-8' },
  ])('a call that it refuses is sent again with a header of our own: %o', async (headers) => {
    refuses(headers)
    answers(200, { _id: PROJECT })
    expect(await exchange('readProject', { params: { projectId: PROJECT } })).toEqual({ _id: PROJECT })
    expect([own(), sent().headers.get('authorization')]).toEqual(['Bearer token-of-ada', null])
    answers(200, { _id: PROJECT })
    await exchange('readProject', { params: { projectId: PROJECT } })
    expect([own(), send.mock.calls.length]).toEqual(['Bearer token-of-ada', 3])
  })

  it('a server that sees another Authorization than ours asks for that header at once', async () => {
    send.mockResolvedValueOnce(Response.json({}, { headers: { 'x-milepost-authorization': 'expected' } }))
    await request('readIdentityOptions', {})
    answers(200, {})
    await exchange('readProject', { params: { projectId: PROJECT } })
    expect(own()).toBe('Bearer token-of-ada')
  })

  it('a proxy that refuses both ends no session, and is named', async () => {
    const ended = vi.fn<(token: string) => void>()
    session.refused = ended
    for (let n = 0; n < 2; n += 1) refuses({ 'www-authenticate': 'Basic' })
    await expect(exchange('readProject', { params: { projectId: PROJECT } })).rejects.toMatchObject({
      status: 511,
      message: expect.stringContaining('The proxy in front of this server'),
    })
    expect(ended).not.toHaveBeenCalled()
    answers(200, {})
    await exchange('readProject', { params: { projectId: PROJECT } })
    expect(sent().headers.get('authorization')).toBe('Bearer token-of-ada')
  })

  it('the server’s own refusal ends the session, also in the other header', async () => {
    const ended = vi.fn<(token: string) => void>()
    session.refused = ended
    refuses({ 'www-authenticate': 'Basic' })
    answers(401, { code: 'not_signed_in', message: 'Please sign in to continue' })
    await expect(exchange('readProject', { params: { projectId: PROJECT } })).rejects.toMatchObject({
      status: 401,
    })
    expect(ended).toHaveBeenCalledExactlyOnceWith('token-of-ada')
  })
})

describe('what answers in place of the server', () => {
  it.each<[string, BodyInit, ResponseInit]>([
    ['a sign-in page', '<h1>Sign in</h1>', { status: 200, headers: { 'content-type': 'text/html' } }],
    [
      'the page of another program',
      '<h1>Not here</h1>',
      { status: 404, headers: { 'content-type': 'text/html' } },
    ],
    ['a firewall', '<h1>Forbidden</h1>', { status: 403, headers: { 'content-type': 'text/html' } }],
  ])('%s says nothing about the call, and is named', async (_what, body, init) => {
    send.mockResolvedValueOnce(new Response(body, init))
    await expect(exchange('readProject', { params: { projectId: PROJECT } })).rejects.toMatchObject({
      status: 511,
      message: expect.stringContaining('answered in its place'),
    })
  })

  it('a redirect is not followed', async () => {
    answers(200, {})
    await exchange('readProject', { params: { projectId: PROJECT } })
    expect(sent().redirect).toBe('manual')
    const redirect = Object.defineProperties(new Response(null, { headers: {} }), {
      type: { value: 'opaqueredirect' },
      status: { value: 0 },
      ok: { value: false },
    })
    send.mockResolvedValueOnce(redirect)
    await expect(exchange('readProject', { params: { projectId: PROJECT } })).rejects.toMatchObject({
      message: expect.stringContaining('(a redirect)'),
    })
  })

  it('one that limits calls asks to wait', async () => {
    send.mockResolvedValueOnce(new Response('slow down', { status: 429 }))
    await expect(exchange('readProject', { params: { projectId: PROJECT } })).rejects.toMatchObject({
      message: expect.stringContaining('asks you to wait'),
    })
  })
})
