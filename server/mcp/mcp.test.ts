import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { TOKEN_REQUESTS_PER_MINUTE } from '#server/access-tokens/authenticate.ts'
import { REQUESTS_PER_MINUTE } from '#server/platform/limits/requests.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Sender } from '#server/testing/client.ts'
import { tools } from './handler.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  await t.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => t.close())

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

async function connected({ headers }: Sender): Promise<Client> {
  const client = new Client({ name: 'a test', version: '1' })
  const url = new URL('/mcp', t.app.listeningOrigin)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  closing.push(() => client.close())
  return client
}

async function run(client: Client, name: string, args: Record<string, unknown>) {
  const { content, isError } = (await client.callTool({ name, arguments: args })) as CallToolResult
  const [first] = content
  const text = first?.type === 'text' ? first.text : ''
  return { isError: isError ?? false, text }
}

const send = (headers: Record<string, string>, payload: object | string = ping) =>
  t.app.inject({
    method: 'POST',
    url: '/mcp',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    payload,
  })
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('a client of the Model Context Protocol', () => {
  it('lists tools, reads and writes within the rights of its token', async () => {
    const owner = await t.person()
    const project = await t.project(owner, { title: 'A radio' })
    const client = await connected(await t.program(owner))
    const listed = await client.listTools()
    expect(listed.tools.map(({ name }) => name).toSorted()).toEqual(tools.map(({ name }) => name).toSorted())
    expect((await run(client, 'listProjects', {})).text).toContain('A radio')
    const milestone = await run(client, 'createMilestone', {
      projectId: project._id,
      title: 'The board',
      description: 'Soldered by hand',
    })
    const { _id: milestoneId } = JSON.parse(milestone.text)
    const written = await run(client, 'createEntry', {
      milestoneId,
      title: 'Soldered the board',
      content: 'It *hums*.',
      tags: ['solder'],
      state: 'draft',
    })
    expect(JSON.parse(written.text)).toMatchObject({
      title: 'Soldered the board',
      tags: ['solder'],
      state: 'draft',
    })
    const page = await run(client, 'listProjectEntries', { projectId: project._id, page: 1, limit: 12 })
    expect(JSON.parse(page.text).entries).toHaveLength(1)
  })

  it('gets a sentence about missing rights and missing resources', async () => {
    const owner = await t.person()
    const project = await t.project(owner)
    const client = await connected(await t.program(owner, { scopes: ['read'] }))
    expect((await client.listTools()).tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
    const fields = { projectId: project._id, title: 'x', description: 'y' }
    expect(await run(client, 'createMilestone', fields)).toEqual({
      isError: true,
      text: 'This access token lacks the scope “write”',
    })
    const stranger = await connected(await t.program(await t.person()))
    expect(await run(stranger, 'readProject', { projectId: project._id })).toEqual({
      isError: true,
      text: 'Project not found',
    })
    expect(await run(stranger, 'readProject', {})).toEqual({ isError: true, text: 'Project not found' })
    expect(await run(stranger, 'createProject', { description: 'y' })).toEqual({
      isError: true,
      text: 'Title is required',
    })
    await expect(stranger.callTool({ name: 'deleteAccount' })).rejects.toThrow('There is no such tool')
  })

  it('is refused without an access token, and from a page of another site', async () => {
    const owner = await t.person()
    const { headers } = await t.program(owner)
    const refused = await send({})
    expect([refused.statusCode, refused.headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect((await send(owner.headers)).json()).toMatchObject({
      message: 'This address takes access tokens, made in the settings',
    })
    expect((await send({ ...headers, origin: 'https://evil.example' })).statusCode).toBe(403)
    expect((await send({ ...headers, origin: 'http://localhost:3000' })).statusCode).toBe(200)
    expect((await send(headers)).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  it('is rate-limited by its uses of tools, each of which counts as one request', {
    tags: ['long'],
  }, async () => {
    const limited = await t.replica({}, { rateLimit: true })
    const { headers } = await t.program(await t.person())
    const post = (payload: object) =>
      limited.inject({
        method: 'POST',
        url: '/mcp',
        headers: { accept: 'application/json, text/event-stream', ...headers },
        payload,
      })
    const used = { ...ping, method: 'tools/call', params: { name: 'listProjects' } }
    for (let sent = 3; sent < TOKEN_REQUESTS_PER_MINUTE; sent += 1)
      await limited.inject({ url: '/api/projects', headers })
    for (let left = 3; left > 0; left -= 1) {
      const { json, headers: counts } = await post(used)
      expect(json()).toMatchObject({ result: { content: [{ type: 'text' }] } })
      expect(json().result.isError).toBeUndefined()
      const made = TOKEN_REQUESTS_PER_MINUTE - left + 1
      expect(counts['x-ratelimit-remaining']).toBe(String(REQUESTS_PER_MINUTE - made))
    }
    expect((await post(used)).statusCode).toBe(429)
    await limited.close()
  })

  it('sends one message at a time', async () => {
    const { headers } = await t.program(await t.person())
    const refused = await send(headers, [ping, ping])
    expect([refused.statusCode, refused.json().message]).toEqual([
      400,
      'Send one message at a time, not a batch',
    ])
  })

  it('cannot reach any call other than the tool that it names', async () => {
    const owner = await t.person()
    const client = await connected(await t.program(owner))
    for (const projectId of ['..', '.', '../users/me', '%2e%2e'])
      expect(await run(client, 'readProject', { projectId })).toEqual({
        isError: true,
        text: 'Project not found',
      })
    expect((await run(client, 'listMilestones', { projectId: '..' })).text).toBe('Project not found')
  })

  it('sends messages of a megabyte at most, in JSON, with POST', async () => {
    const { headers } = await t.program(await t.person())
    expect((await send(headers, { ...ping, params: { x: 'x'.repeat(1_000_000) } })).statusCode).toBe(413)
    expect((await send(headers, '{"jsonrpc"')).statusCode).toBe(400)
    for (const method of ['GET', 'DELETE'] as const) {
      const response = await t.app.inject({ method, url: '/mcp', headers })
      expect([response.statusCode, response.headers.allow]).toEqual([405, 'POST'])
    }
  })
})

describe('a tool', () => {
  it.each(tools)(
    '$name can be made by a program, and says what each argument is',
    ({ name, inputSchema }) => {
      const call: Call = calls[name]
      expect(call.scope).not.toBe('none')
      expect(call.scope).toBeDefined()
      const unknown = Object.entries(inputSchema.properties).filter(
        ([, schema]) => Object.keys(schema).length === 0,
      )
      expect(unknown).toEqual([])
      expect(JSON.stringify(inputSchema)).not.toContain('binary')
    },
  )
})
