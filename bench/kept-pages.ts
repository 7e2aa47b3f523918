import { fork } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { publicPage } from './public-page.ts'
import { type Request, repeat } from './requests.ts'
import { alternate, costOfEach, figureOf, milliseconds } from './rounds.ts'
import type { Figure, Row } from './row.ts'
import type { Stage } from './stage.ts'

const REQUESTS = 6_000
/** What an answer has of its own each time. */
const PASSING = /^(?:date|connection|keep-alive|x-request-id)$/i

export const cachedPage: Row = {
  name: 'cached-page',
  what: 'cached public page: bare node:http sending the same bytes ÷ ours',
  aim: { atLeast: 0.7 },
  async measure(stage) {
    const { server, request } = await publicPage(stage)
    return besideBareHttp(stage, server.pid, request)
  },
}

export const knownPage: Row = {
  name: 'known-page',
  what: '304 of a public page: bare node:http ÷ ours',
  aim: { atLeast: 0.7 },
  async measure(stage) {
    const { server, request } = await publicPage(stage)
    const { etag } = await answerTo(request)
    const headers = { ...request.headers, 'if-none-match': etag }
    return besideBareHttp(stage, server.pid, { ...request, headers })
  },
}

type Answer = { status: number; headers: string[]; etag: string; body: Buffer }

async function answerTo({ headers, port, path }: Request): Promise<Answer> {
  const [response] = await once(get({ host: '127.0.0.1', headers, port, path }), 'response')
  const body = Buffer.concat(await response.toArray())
  const pairs = (response.rawHeaders as string[]).flatMap((name, index, all) =>
    index % 2 === 0 && !PASSING.test(name) ? [name, all[index + 1] ?? ''] : [],
  )
  return { status: response.statusCode, headers: pairs, etag: response.headers.etag ?? '', body }
}

async function besideBareHttp(stage: Stage, pid: number, request: Request): Promise<Figure> {
  const { status, headers, body } = await answerTo(request)
  const bare = fork(new URL('bare-http.ts', import.meta.url))
  stage.ends(async () => bare.kill())
  bare.send({ status, headers, body: body.toString('base64') })
  const [{ port }] = (await once(bare, 'message')) as [{ port: number }]
  const rounds = await alternate(
    () => costOfEach(pid, REQUESTS, () => repeat(request, REQUESTS, status)),
    () => costOfEach(bare.pid ?? 0, REQUESTS, () => repeat({ ...request, port }, REQUESTS, status)),
  )
  return figureOf(rounds, ({ ours, yardstick }) => yardstick / ours, milliseconds)
}
