import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Client } from 'pg'
import { type Request, repeatEach } from './requests.ts'
import { alternate, costOfEach, figureOf, milliseconds, type Row } from './row.ts'
import { ENTRIES, publicPage, publish, visitTo, writer } from './workload.ts'

const PROJECTS = 60

/**
 * Before a round each of sixty equal projects gets another revision, so that none of their pages is cached. The yardstick
 * renders the elements of the finished page, which leaves components, queries, routing and the page's data to ours.
 */
export const uncachedPage: Row = {
  name: 'uncached-page',
  what: 'uncached public page: bare renderToPipeableStream of the same elements ÷ ours',
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
    return figureOf(rounds, ({ ours, yardstick }) => yardstick / ours, milliseconds)
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
