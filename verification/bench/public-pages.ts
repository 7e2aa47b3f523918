import { fork, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { RunningServer } from '#testing/start-server.ts'
import { portOf, type Request, repeat, repeatEach } from './requests.ts'
import { alternate, costOfEach, type Figure, figureOf, milliseconds, type Row } from './row.ts'
import type { Stage } from './stage.ts'
import { statementsOf } from './statements.ts'
import { ENTRIES, type PublicPage, publicPage, publish, visitTo, writer } from './workload.ts'

const REQUESTS = 6_000
/** Headers that differ in each response, or that Fastify sets. */
const OWN = /^(?:date|connection|keep-alive|x-request-id|content-length)$/i

export const cachedPage: Row = {
  name: 'cached-page',
  what: 'cached public page: bare Fastify asking PostgreSQL the same and sending the same bytes ÷ ours',
  aim: { atLeast: 0.75 },
  measure: (stage) => measureCached(stage),
}

export const knownPage: Row = {
  name: 'known-page',
  what: '304 of a public page: bare Fastify asking PostgreSQL the same ÷ ours',
  aim: { atLeast: 0.7 },
  measure: (stage) => measureKnown(stage),
}

/** The same, compared to a Fastify that logs its requests, as ours does. */
export const loggedPages: Row[] = [
  {
    name: 'cached-page-logged',
    what: 'cached public page: bare Fastify with its log ÷ ours',
    isLong: true,
    measure: (stage) => measureCached(stage, true),
  },
  {
    name: 'known-page-logged',
    what: '304 of a public page: bare Fastify with its log ÷ ours',
    isLong: true,
    measure: (stage) => measureKnown(stage, true),
  },
]

async function measureCached(stage: Stage, logs = false): Promise<Figure> {
  const page = await publicPage(stage)
  return compareToBareFastify(stage, page, page.request, logs)
}

async function measureKnown(stage: Stage, logs = false): Promise<Figure> {
  const page = await publicPage(stage)
  const { etag = '' } = (await answerTo(page.request)).headers
  const headers = { ...page.request.headers, 'if-none-match': etag }
  return compareToBareFastify(stage, page, { ...page.request, headers }, logs)
}

type Answer = { status: number; headers: Record<string, string>; body: Buffer }

async function answerTo({ headers, port, path }: Request): Promise<Answer> {
  const [response] = await once(get({ host: '127.0.0.1', headers, port, path }), 'response')
  const body = Buffer.concat(await response.toArray())
  const lasting = Object.entries(response.headers as Record<string, string>).filter(
    ([name]) => !OWN.test(name),
  )
  return { status: response.statusCode, headers: Object.fromEntries(lasting), body }
}

async function compareToBareFastify(
  stage: Stage,
  { server, databaseUrl, writer }: PublicPage,
  request: Request,
  logs: boolean,
): Promise<Figure> {
  const { status, headers, body } = await answerTo(request)
  const visit = ({ url }: RunningServer) => answerTo({ ...request, port: portOf(url) })
  const [statement, ...others] = await statementsOf(stage, databaseUrl, visit)
  if (!statement || others.length > 0) throw new Error('a cached page is to cost one statement')
  // Like the server, it writes its log to nowhere.
  const stdio: StdioOptions = ['ignore', 'ignore', 'inherit', 'ipc']
  const bare = fork(new URL('bare-page.ts', import.meta.url), { stdio })
  stage.ends(async () => bare.kill())
  const { projectId } = writer
  bare.send({ databaseUrl, statement, projectId, status, headers, body: body.toString('base64'), logs })
  const [port] = (await once(bare, 'message')) as [number]
  const rounds = await alternate(
    () => costOfEach(server.pid, REQUESTS, () => repeat(request, REQUESTS, status)),
    () => costOfEach(bare.pid ?? 0, REQUESTS, () => repeat({ ...request, port }, REQUESTS, status)),
  )
  return figureOf(rounds, ({ ours, baseline }) => baseline / ours, milliseconds)
}

const VISITORS = 4
const VISITS_EACH = 200
/** The pause between two visits, so that the visitors alone do not saturate a CPU. */
const PAUSE_MS = 10

/** The response time of a public page while others upload images and sign in, compared to an idle server. */
export const busyPublicPage: Row = {
  name: 'busy-public-page',
  what: 'p99 of a public page during uploads, resizes and sign-ins ÷ idle (wall time)',
  aim: { atMost: 2 },
  async measure(stage) {
    const { server, request } = await publicPage(stage)
    const { headers, milestoneId, account } = await writer(server.url, 1)
    const others = fork(new URL('busy-others.ts', import.meta.url))
    stage.ends(async () => others.kill())
    const { email, password } = account
    others.send({ origin: server.url, port: portOf(server.url), headers, milestoneId, email, password })
    await once(others, 'message')
    const tell = async (what: 'begin' | 'stop') => {
      others.send(what)
      await once(others, 'message')
    }
    const rounds = await alternate(
      async () => {
        await tell('begin')
        const slow = await slowest(request)
        await tell('stop')
        return slow
      },
      () => slowest(request),
    )
    return figureOf(rounds, ({ ours, baseline }) => ours / baseline, milliseconds)
  },
}

/** Returns the 99th percentile of the response times of many visits, in microseconds. */
async function slowest(request: Request): Promise<number> {
  const times: number[] = []
  await Promise.all(Array.from({ length: VISITORS }, () => visitor(request, times)))
  return (times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN) * 1_000
}

async function visitor({ port, path, headers }: Request, times: number[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let visit = 0; visit < VISITS_EACH; visit += 1) {
    await pause(PAUSE_MS)
    const start = performance.now()
    const [response] = await once(get({ host: '127.0.0.1', port, path, headers, agent }), 'response')
    await response.toArray()
    if (response.statusCode !== 200) throw new Error(`${path} returned ${response.statusCode}`)
    times.push(performance.now() - start)
  }
  agent.destroy()
}

const PROJECTS = 60

/**
 * Before each round, each of sixty equal projects gets a new revision, so that none of their pages is cached. The baseline
 * renders only the elements of the finished page. Components, queries, routing and the page's data are part of the product.
 */
export const uncachedPage: Row = {
  name: 'uncached-page',
  what: 'uncached public page: bare renderToPipeableStream of the same elements ÷ ours',
  aim: { atLeast: 0.25 },
  async measure(stage) {
    const { server, databaseUrl, writer: first, request } = await publicPage(stage)
    const visits = [request]
    for (let project = 1; project < PROJECTS; project += 1) {
      const made = await writer(server.url, ENTRIES, first.account)
      await publish(made)
      visits.push(visitTo(server, made))
    }
    const database = new Client({ connectionString: databaseUrl })
    await database.connect()
    stage.ends(() => database.end())
    const change = () => database.query('update projects set revision = revision + 1')

    const bare = fork(new URL('bare-render.ts', import.meta.url), {
      env: { ...process.env, NODE_ENV: 'production' },
    })
    stage.ends(async () => bare.kill())
    bare.send(await htmlOf(server.url + request.path))
    const render = async () => {
      bare.send(PROJECTS)
      await once(bare, 'message')
    }

    const rounds = await alternate(
      async () => {
        await change()
        return costOfEach(server.pid, PROJECTS, () => visitEach(visits))
      },
      () => costOfEach(bare.pid ?? 0, PROJECTS, render),
    )
    return figureOf(rounds, ({ ours, baseline }) => baseline / ours, milliseconds)
  },
}

async function visitEach(visits: Request[]) {
  for (const visit of visits) await repeatEach([{ ...visit, headers: {} }], 1, 200)
}

async function htmlOf(url: string): Promise<string> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`)
  return response.text()
}
