import { fork } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
import { cpuMicroseconds, spread } from './cpu.ts'
import { type Request, repeat } from './requests.ts'

const ROUNDS = 6
const REQUESTS = 6_000
/** What an answer has of its own each time. */
const PASSING = /^(?:date|connection|keep-alive|x-request-id)$/i

/**
 * What pages of a running server cost it, beside node:http sending the same bytes, as ratios of processor time:
 * `node bench/public-pages.ts PID PORT PATH…`. The two take turns; each is warmed up first.
 */
const [pid = 0, port = 0] = process.argv.slice(2, 4).map(Number)
for (const path of process.argv.slice(4)) {
  const request = { port, path, headers: { 'accept-encoding': 'br, gzip' } }
  const page = await answerTo(request)
  await compare(request, page)
  const known = { ...request, headers: { ...request.headers, 'if-none-match': page.etag } }
  await compare(known, await answerTo(known))
}

type Answer = { status: number; headers: string[]; etag: string; body: Buffer }

async function answerTo({ headers, ...place }: Request): Promise<Answer> {
  const [response] = await once(get({ host: '127.0.0.1', headers, ...place }), 'response')
  const body = Buffer.concat(await response.toArray())
  const pairs = (response.rawHeaders as string[]).flatMap((name, index, all) =>
    index % 2 === 0 && !PASSING.test(name) ? [name, all[index + 1] ?? ''] : [],
  )
  return { status: response.statusCode, headers: pairs, etag: response.headers.etag ?? '', body }
}

async function compare(request: Request, { status, headers, body }: Answer): Promise<void> {
  const bare = fork(new URL('bare-http.ts', import.meta.url))
  bare.send({ status, headers, body: body.toString('base64') })
  const [address] = await once(bare, 'message')
  const cost = async (process: number, sent: Request) => {
    const before = await cpuMicroseconds(process)
    await repeat(sent, REQUESTS, status)
    return ((await cpuMicroseconds(process)) - before) / REQUESTS
  }
  const costs: { ours: number; bare: number }[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const ours = await cost(pid, request)
    costs.push({ ours, bare: await cost(bare.pid ?? 0, { ...request, port: address.port }) })
  }
  bare.kill()
  const measured = costs.slice(1)
  const [ours, theirs] = [spread(measured.map((one) => one.ours)), spread(measured.map((one) => one.bare))]
  const told = (of: typeof ours) =>
    `${of.median.toFixed(1)} µs (${of.low.toFixed(1)} to ${of.high.toFixed(1)})`
  console.log(
    `${request.path} ${status}, ${body.length} bytes: ${told(ours)}; node:http ${told(theirs)}; ratio ${(theirs.median / ours.median).toFixed(2)}`,
  )
}
