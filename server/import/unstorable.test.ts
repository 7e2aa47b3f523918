import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { expect, it } from 'vitest'
import { zipOf } from './testing.ts'
import { importingApp } from './testing-app.ts'

const { t, imports } = await importingApp()

it('a report names what cannot come, also by what no database stores', async () => {
  const archive = await zipOf({ 'Boat/Hull.md': '# Hull\n\n![](a\0.png) ![](b.png)' })
  const { state, plan } = await imports.plan(await t.person(), 'Boat.zip', archive)
  expect([state, plan?.problems]).toMatchObject([
    'planned',
    [
      {
        reason: 'the archive does not have a file that it shows',
        paths: ['Boat/Hull.md: a.png', 'Boat/Hull.md: b.png'],
      },
    ],
  ])
  const broken = JSON.stringify([
    { name: 'v\0\ud800', html_url: 'https://github.com/a/b/releases/tag/v1', assets: [{}] },
  ])
  const { problems } = (await imports.bring(await t.person(), 'x.json', Buffer.from(broken))).report ?? {}
  expect(problems?.map(({ paths }) => paths)).toEqual([['v\ufffd'], ['v\ufffd']])
})

it('a text is known by its id at the source, whatever is in that and however long it is', async () => {
  const ids = [
    'a\0b',
    '\udc00x',
    randomBytes(5_000).toString('base64'),
    `${'x'.repeat(2_000)}1`,
    `${'x'.repeat(2_000)}2`,
  ]
  const feed = Buffer.from(
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Boat',
      items: ids.map((id, at) => ({
        id,
        content_text: `Text ${at}`,
        date_published: '2024-05-17T10:00:00Z',
      })),
    }),
  )
  const ada = await t.person()
  expect(await imports.bring(ada, 'feed.json', feed)).toMatchObject({
    state: 'done',
    report: { made: { entries: ids.length } },
  })
  expect(await imports.bring(ada, 'feed.json', feed)).toMatchObject({
    state: 'done',
    report: { made: { entries: 0 }, here: ids.length },
  })
})

it('records of Milepost come with ids in any case, and one of the year 0 is named', async () => {
  const at = '2024-05-17T10:00:00.000Z'
  const record = (title: string, more: object = {}) => ({
    _id: uuidv7(),
    createdAt: at,
    updatedAt: at,
    version: 1,
    title,
    description: title,
    ...more,
  })
  const entry = (title: string, more: object = {}) =>
    record(title, {
      path: `${title}.md`,
      content: title,
      tags: [],
      state: 'published',
      author: null,
      happenedAt: at,
      happenedOn: '2024-05-17',
      happenedZone: 'UTC',
      publishedAt: at,
      files: [],
      ...more,
    })
  const one = entry('One')
  const entries = [
    one,
    entry('Two', { _id: one._id.toUpperCase() }),
    entry('Three', { happenedAt: '0000-01-01T00:00:00Z' }),
  ]
  const milestones = [record('Hull', { completed: false, entries })]
  const projects = [record('Boat', { visibility: 'private', milestones })]
  const archive = await zipOf({ 'milepost.json': JSON.stringify({ format: 1, projects }) })
  expect(await imports.bring(await t.person(), 'milepost.zip', archive)).toMatchObject({
    state: 'done',
    report: {
      made: { entries: 2 },
      problems: [{ reason: 'milepost.json describes it wrongly (happenedAt)', paths: ['Hull, entry 3'] }],
    },
  })
})
