import { fork } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import type { RunningServer } from '#testing/start-server.ts'
import { portOf, type Request, repeat } from './requests.ts'
import { alternate, costOfEach, type Figure, figureOf, milliseconds, type Row } from './row.ts'
import type { Stage } from './stage.ts'
import { statementsOf } from './statements.ts'
import { type PublicPage, publicPage } from './workload.ts'

const REQUESTS = 6_000
/** What an answer has of its own each time, or what Fastify sets by itself. */
const OWN = /^(?:date|connection|keep-alive|x-request-id|content-length)$/i

export const cachedPage: Row = {
  name: 'cached-page',
  what: 'cached public page: bare Fastify asking PostgreSQL the same and sending the same bytes ÷ ours',
  aim: { atLeast: 0.7 },
  async measure(stage) {
    const page = await publicPage(stage)
    return besideBareFastify(stage, page, page.request)
  },
}

export const knownPage: Row = {
  name: 'known-page',
  what: '304 of a public page: bare Fastify asking PostgreSQL the same ÷ ours',
  aim: { atLeast: 0.7 },
  async measure(stage) {
    const page = await publicPage(stage)
    const { etag = '' } = (await answerTo(page.request)).headers
    const headers = { ...page.request.headers, 'if-none-match': etag }
    return besideBareFastify(stage, page, { ...page.request, headers })
  },
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

async function besideBareFastify(
  stage: Stage,
  { server, databaseUrl, writer }: PublicPage,
  request: Request,
): Promise<Figure> {
  const { status, headers, body } = await answerTo(request)
  const visit = ({ url }: RunningServer) => answerTo({ ...request, port: portOf(url) })
  const [statement, ...others] = await statementsOf(stage, databaseUrl, visit)
  if (!statement || others.length > 0) throw new Error('a cached page is to cost one statement')
  const bare = fork(new URL('bare-page.ts', import.meta.url))
  stage.ends(async () => bare.kill())
  const { projectId } = writer
  bare.send({ databaseUrl, statement, projectId, status, headers, body: body.toString('base64') })
  const [port] = (await once(bare, 'message')) as [number]
  const rounds = await alternate(
    () => costOfEach(server.pid, REQUESTS, () => repeat(request, REQUESTS, status)),
    () => costOfEach(bare.pid ?? 0, REQUESTS, () => repeat({ ...request, port }, REQUESTS, status)),
  )
  return figureOf(rounds, ({ ours, yardstick }) => yardstick / ours, milliseconds)
}
