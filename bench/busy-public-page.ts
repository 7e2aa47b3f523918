import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { portOf, type Request } from './requests.ts'
import { alternate, figureOf, milliseconds, type Row } from './row.ts'
import { publicPage, writer } from './workload.ts'

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
    return figureOf(rounds, ({ ours, yardstick }) => ours / yardstick, milliseconds)
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
