import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type CallToolResult, LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import type { Call } from '#contract/parts/call.ts'
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
const initialize = (protocolVersion: string) => ({
  ...ping,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'a test', version: '1' } },
})
const JSON_TYPE = 'application/json; charset=utf-8'

describe('a client of the Model Context Protocol', () => {
  it("sends its token in Milepost's own header behind a proxy with a password, which tools receive too", async () => {
    const person = await t.person()
    const { _id } = await t.project(person, { title: 'Behind the door' })
    const { authorization = '' } = (await t.program(person)).headers
    const client = await connected({
      headers: { 'x-milepost-authorization': authorization, authorization: 'Basic aG91c2U6ZG9vcg==' },
    })
    const { isError, text } = await run(client, 'listProjects', {})
    expect([isError, text.includes(_id)]).toEqual([false, true])
  })

  it.each([undefined, 'Bearer mp_old'])(
    'that would sign in by OAuth says what this server takes instead, with the token %s',
    async (authorization) => {
      const client = new Client({ name: 'a test', version: '1' })
      const redirectUrl = 'http://localhost:1/callback'
      const authProvider: OAuthClientProvider = {
        redirectUrl,
        clientMetadata: { redirect_uris: [redirectUrl] },
        clientInformation: () => undefined,
        saveClientInformation: () => undefined,
        tokens: () => undefined,
        saveTokens: () => undefined,
        redirectToAuthorization: () => undefined,
        saveCodeVerifier: () => undefined,
        codeVerifier: () => '',
      }
      const headers = new Headers(authorization === undefined ? undefined : { authorization })
      const transport = new StreamableHTTPClientTransport(new URL('/mcp', t.app.listeningOrigin), {
        authProvider,
        requestInit: { headers },
      })
      await expect(client.connect(transport)).rejects.toThrow('This address takes access tokens')
      await client.close()
    },
  )

  describe('with messages as clients write them', () => {
    const rpc = async (headers: Record<string, string>, method: string, params?: unknown) =>
      (await send(headers, { jsonrpc: '2.0', id: 7, method, params })).json()

    it('is introduced with what it says of itself, in whatever version', async () => {
      const { headers } = await t.program(await t.person())
      for (const params of [
        undefined,
        {},
        { protocolVersion: '2025-06-18' },
        { protocolVersion: '2025-06-18', capabilities: null, clientInfo: { name: 'curl' } },
      ])
        expect(await rpc(headers, 'initialize', params)).toMatchObject({
          id: 7,
          result: { serverInfo: { name: 'milepost' } },
        })
      const newer = { ...headers, 'mcp-protocol-version': '2099-01-01' }
      expect((await send(newer, initialize('2099-01-01'))).json()).toMatchObject({
        result: { protocolVersion: LATEST_PROTOCOL_VERSION },
      })
    })

    it('reads in one sentence what its message lacks', async () => {
      const { headers } = await t.program(await t.person())
      const refused = (message: string) => ({ jsonrpc: '2.0', id: 7, error: { code: -32_602, message } })
      expect(await rpc(headers, 'initialize', { protocolVersion: 1 })).toEqual(
        refused('params.protocolVersion must be a text'),
      )
      expect(await rpc(headers, 'tools/call', {})).toEqual(refused('params.name must be a text'))
      expect(await rpc(headers, 'tools/call', { name: 'listProjects', arguments: 'all' })).toEqual(
        refused('params.arguments must be an object'),
      )
      expect(await rpc(headers, 'tools/call', { name: 'listProjects', arguments: [] })).toMatchObject({
        result: { content: [{ type: 'text', text: '[]' }] },
      })
    })

    it('may end the address with a slash', async () => {
      const { headers } = await t.program(await t.person())
      const response = await t.app.inject({ method: 'POST', url: '/mcp/', headers, payload: ping })
      expect(response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
      for (const method of ['GET', 'HEAD', 'PUT', 'OPTIONS'] as const)
        expect(await t.app.inject({ method, url: '/mcp/' })).toMatchObject({
          statusCode: 405,
          headers: expect.objectContaining({ allow: 'POST' }),
        })
    })
  })

  describe('with arguments as models send them', () => {
    async function written(args: Record<string, unknown>) {
      const owner = await t.person()
      const project = await t.project(owner)
      const { _id: milestoneId } = await t.milestone(owner, project._id)
      const client = await connected(await t.program(owner))
      const { content, isError } = (await client.callTool({
        name: 'createEntry',
        arguments: { milestoneId: ` ${milestoneId}\n`, title: 'Soldered', content: 'It hums.', ...args },
      })) as CallToolResult
      return { isError: isError ?? false, texts: content.map((one) => (one.type === 'text' ? one.text : '')) }
    }

    it('takes numbers, switches and single values as text, and text for a number', async () => {
      const owner = await t.person()
      const project = await t.project(owner)
      const client = await connected(await t.program(owner))
      const { texts } = await written({ title: 2024, content: 42, tags: 'solder', state: 'draft ' })
      expect(JSON.parse(texts[0] ?? '')).toMatchObject({
        title: '2024',
        content: '42',
        tags: ['solder'],
        state: 'draft',
      })
      const changed = await run(client, 'updateProject', { projectId: project._id, isPublic: 'True' })
      expect([changed.isError, JSON.parse(changed.text).isPublic]).toEqual([false, true])
      const page = await run(client, 'listProjectEntries', {
        projectId: project._id,
        page: '1',
        limit: '6',
      })
      expect(page.isError).toBe(false)
      expect(await run(client, 'updateProject', { projectId: project._id, isPublic: 'maybe' })).toEqual({
        isError: true,
        text: 'isPublic must be true or false',
      })
    })

    it('finds an id with spaces around it, and takes an empty text for none', async () => {
      const empty = { state: '', happenedOn: '', tags: '' }
      const { isError, texts } = await written(empty)
      expect([isError, texts.length]).toEqual([false, 1])
      expect(JSON.parse(texts[0] ?? '')).toMatchObject({ title: 'Soldered', state: 'published', tags: [] })
    })

    it('says which id is missing, instead of looking for it', async () => {
      for (const milestoneId of ['', '  ', null]) {
        const { isError, texts } = await written({ milestoneId })
        expect(isError).toBe(true)
        expect(texts).toEqual([
          expect.stringMatching(/^milestoneId is missing\. This tool takes .*\btitle\b/),
        ])
      }
    })

    it('says which argument had no effect', async () => {
      const { isError, texts } = await written({ sessionId: 'of the program', tag: ['solder'] })
      expect([isError, JSON.parse(texts[0] ?? '').tags]).toEqual([false, []])
      expect(texts[1]).toMatch(
        /^Without effect, because there is no such argument: sessionId, tag\. This tool takes .*\btags\b/,
      )
      expect((await written({ title: '', name: 'Soldered' })).texts).toEqual([
        'Title is required',
        expect.stringContaining('there is no such argument: name.'),
      ])
    })
  })

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
    expect(await run(stranger, 'readProject', {})).toMatchObject({
      isError: true,
      text: expect.stringContaining('projectId is missing.'),
    })
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
      message: expect.stringContaining(
        'takes access tokens, made in the settings, in the header “Authorization',
      ),
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
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      {
        jsonrpc: '2.0',
        error: { code: -32600, message: 'Send one message at a time, not a batch' },
        id: null,
      },
    ])
  })

  it.each(['application/json', 'text/event-stream', '*/*', 'text/html', 'image/png;q=0', ''])(
    'gets JSON, also if it accepts “%s”',
    async (accept) => {
      const { headers } = await t.program(await t.person())
      for (const message of [
        ping,
        { ...ping, method: 'tools/list', params: null },
        initialize('2025-06-18'),
      ]) {
        const response = await send({ ...headers, accept }, message)
        expect([response.statusCode, response.headers['content-type']]).toEqual([200, JSON_TYPE])
        expect(response.json()).toMatchObject({ jsonrpc: '2.0', id: 1, result: {} })
      }
    },
  )

  it('gets the newest version of the protocol if its own is unknown, and 400 for an unknown one afterwards', async () => {
    const { headers } = await t.program(await t.person())
    const versionFor = async (asked: string) =>
      (await send(headers, initialize(asked))).json().result.protocolVersion
    expect(await versionFor('2025-03-26')).toBe('2025-03-26')
    expect(await versionFor('1999-01-01')).toBe(LATEST_PROTOCOL_VERSION)
    const later = await send({ ...headers, 'mcp-protocol-version': '1999-01-01' })
    expect([later.statusCode, later.json().jsonrpc]).toEqual([400, '2.0'])
  })

  it('gets 202 without a body for a notification and for a response', async () => {
    const { headers } = await t.program(await t.person())
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: null } },
      { jsonrpc: '2.0', id: 7, result: {} },
    ]) {
      const response = await send(headers, message)
      expect([response.statusCode, response.body]).toEqual([202, ''])
    }
  })

  it('gets an error of JSON-RPC for what is no request, and for unknown methods', async () => {
    const { headers } = await t.program(await t.person())
    for (const message of [
      {},
      { jsonrpc: '1.0', id: 1, method: 'ping' },
      { ...ping, id: null },
      '7',
      'null',
    ]) {
      const response = await send(headers, message)
      expect([response.statusCode, response.json().error?.code]).toEqual([400, -32700])
    }
    const unknown = await send(headers, { ...ping, method: 'resources/list' })
    expect(unknown.json()).toMatchObject({ id: 1, error: { code: -32601 } })
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

describe('an argument that is null', () => {
  /** A project with a milestone and an entry, and a program of its owner with all rights. */
  async function journal() {
    const owner = await t.person()
    const project = await t.project(owner)
    const milestone = await t.milestone(owner, project._id, { dueOn: '2026-12-24' })
    const entry = await t.entry(owner, milestone._id, { tags: ['wood', 'pine'] })
    const { headers } = await t.program(owner, { scopes: ['read', 'write', 'publish', 'manage'] })
    const use = async (name: string, args: unknown) => {
      const params = { name, arguments: args, _meta: null }
      const { result } = (await send(headers, { ...ping, method: 'tools/call', params })).json()
      const [{ text }] = result.content
      return result.isError ? text : JSON.parse(text)
    }
    const params = { projectId: project._id, tag: 'pine' }
    const { undo } = await t.call('renameTag', { params, body: { name: 'oak' } }, { as: owner })
    const ids = { projectId: project._id, milestoneId: milestone._id, entryId: entry._id, bulkChangeId: undo }
    return { use, ids, milestone }
  }

  it.each(tools)('of $name counts as absent, if it is optional', async ({ name, inputSchema }) => {
    const { use, ids } = await journal()
    const known: Record<string, unknown> = {
      ...ids,
      entries: [ids.entryId],
      milestone: ids.milestoneId,
      title: 'A title',
      description: 'Of it',
      content: 'A text',
      from: '2026-01-01',
      to: '2026-12-31',
      day: '2026-03-04',
      date: '2026-03-04',
      tag: 'wood',
      ...(name === 'renameTag' && { name: 'wood' }),
    }
    const needed = inputSchema.required.map((field) => [field, known[field]])
    const optional = Object.keys(inputSchema.properties).filter(
      (field) => !inputSchema.required.includes(field),
    )
    const absent = await use(name, Object.fromEntries(needed))
    const asNull = await use(name, Object.fromEntries([...needed, ...optional.map((field) => [field, null])]))
    const stable = (result: unknown) =>
      JSON.stringify(result).replaceAll(
        /"(?:_id|entryId|\w*(?:At|ersion|ision)|position)":(?:"[^"]*"|\d+),?/g,
        '',
      )
    expect(stable(asNull)).toBe(stable(absent))
    expect(typeof asNull).toBe('object')
  })

  it('is missing, if it is required, and null for all of them is none at all', async () => {
    const { use } = await journal()
    expect(await use('createProject', { title: null, description: 'x' })).toBe('Title is required')
    expect(await use('listProjects', null)).toHaveLength(1)
    expect(await use('readProject', null)).toContain('projectId is missing.')
  })

  it('may be a text of JSON, as may all of them', async () => {
    const { use, ids } = await journal()
    expect(await use('readProject', JSON.stringify(ids))).toMatchObject({ _id: ids.projectId })
    expect(await use('listProjects', '')).toHaveLength(1)
    const { projectId: _, entryId: __, bulkChangeId: ___, ...place } = ids
    for (const tags of ['["oak","ash"]', 'oak, ash,'])
      expect(await use('createEntry', { ...place, title: 'A', content: 'B', tags })).toMatchObject({
        tags: ['oak', 'ash'],
      })
  })

  it('changes nothing, where an empty text removes the value', async () => {
    const { use, ids } = await journal()
    expect(await use('updateMilestone', { ...ids, title: 'New', dueOn: null })).toMatchObject({
      dueOn: '2026-12-24',
    })
    expect(await use('updateMilestone', { ...ids, dueOn: '' })).toMatchObject({ title: 'New', dueOn: null })
    const last = await use('createMilestone', { projectId: ids.projectId, title: 'Last', description: 'x' })
    await use('moveMilestone', { milestoneId: last._id, after: '' })
    const listed = await use('listMilestones', { projectId: ids.projectId })
    expect(listed.map(({ title }: { title: string }) => title)).toEqual(['Last', 'New'])
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
