import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Client } from 'pg'
import { publicPage } from './public-page.ts'
import { repeat } from './requests.ts'
import { alternate, costOfEach, figureOf, milliseconds } from './rounds.ts'
import type { Row } from './row.ts'

const PAGES = 60

/** Before each request the project gets another revision, so that nothing of its page can be kept. */
export const uncachedPage: Row = {
  name: 'uncached-page',
  what: 'uncached public page: bare Markdown + renderToString of the same content ÷ ours',
  aim: { atLeast: 0.7 },
  async measure(stage) {
    const { server, databaseUrl, writer, request } = await publicPage(stage)
    const database = new Client({ connectionString: databaseUrl })
    await database.connect()
    stage.ends(() => database.end())
    const change = () =>
      database.query('update projects set revision = revision + 1 where id = $1', [writer.projectId])
    const plain = { ...request, headers: {} }

    const bare = fork(new URL('bare-render.ts', import.meta.url))
    stage.ends(async () => bare.kill())
    bare.send(await content(`${server.url}/api/projects${request.path}/page`))
    const render = async () => {
      bare.send(PAGES)
      await once(bare, 'message')
    }

    const rounds = await alternate(
      () =>
        costOfEach(server.pid, PAGES, async () => {
          for (let page = 0; page < PAGES; page += 1) {
            await change()
            await repeat(plain, 1, 200)
          }
        }),
      () => costOfEach(bare.pid ?? 0, PAGES, render),
    )
    return figureOf(rounds, ({ ours, yardstick }) => yardstick / ours, milliseconds)
  },
}

async function content(url: string): Promise<object> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return (await answer.json()) as object
}
