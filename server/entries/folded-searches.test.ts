import { afterAll, expect, it } from 'vitest'
import { fold } from '#contract/parts/folding.ts'
import { testApp } from '#server/testing/app.ts'

const t = await testApp()
afterAll(() => t.close())
const author = await t.person()
const { _id: projectId } = await t.project(author, { title: 'Projet d’Été', description: 'Ёлка' })
const { _id: milestoneId } = await t.milestone(author, projectId)

const texts = [
  'Über Nacht',
  '한글 café',
  'İstanbul',
  'Straße',
  'ΣΊΣΥΦΟΣ',
  'ﾊﾟﾝ',
  'so\u00ADda',
  'Łódź',
  '100 % ＿',
  'C:\\',
]
for (const content of texts) await t.entry(author, milestoneId, { title: 'x', content })

const found = async (search: string) => {
  const page = await t.call(
    'listEntries',
    { params: { milestoneId }, query: { page: 1, search } },
    { as: author },
  )
  if (Array.isArray(page)) throw new Error('not a page')
  return page.entries.map(({ content }) => content)
}

it.each([
  ['uber nacht', 'Über Nacht'],
  ['한글 café', '한글 café'],
  ['한글 café'.normalize('NFD'), '한글 café'],
  ['한글 CAFE', '한글 café'],
  ['ISTANBUL', 'İstanbul'],
  ['strasse', 'Straße'],
  ['σισυφος', 'ΣΊΣΥΦΟΣ'],
  ['パン', 'ﾊﾟﾝ'],
  ['soda', 'so\u00ADda'],
  ['lodz', 'Łódź'],
  ['100 ％', '100 % ＿'],
  ['_', '100 % ＿'],
  [':\\', 'C:\\'],
])('the search for %s finds %s alone', async (search, content) => {
  expect(await found(search)).toEqual([content])
})

it('collaborations are found alike', async () => {
  const member = await t.member(projectId, 'viewer')
  for (const search of ["d'ete", 'ÉTÉ', 'елка']) {
    const { collaborations } = await t.call('listMyCollaborations', { query: { search } }, { as: member })
    expect(collaborations.map(({ project }) => project._id)).toEqual([projectId])
  }
})

it('the database folds like the browser', async () => {
  const samples = [...texts, 'Ёлка’s', 'مُحَمَّد', 'Ærø þing', 'ǿ', 'ẞ', 'ﬁ', 'が', 'กำ', 'ὦ', 'Ǆ', 'ŉ']
  const { rows } = await t.pool.query<{ folded: string }>(
    'select searchable(s) folded from unnest($1::text[]) with ordinality t (s, n) order by n',
    [samples],
  )
  expect(rows.map(({ folded }) => folded)).toEqual(samples.map(fold))
})

it('two spellings of a tag are one, in an entry and in a project', async () => {
  const composed = await t.entry(author, milestoneId, { tags: ['café', 'cafe\u0301'] })
  expect(composed.tags).toEqual(['café'])
  await t.entry(author, milestoneId, { tags: ['cafe\u0301'] })
  const query = { page: 1, tag: 'cafe\u0301' } as const
  const page = await t.call('listEntries', { params: { milestoneId }, query }, { as: author })
  expect(page).toMatchObject({ tags: ['café'], pagination: { totalItems: 2 } })
})

it.each(['\u200B', '\u3164', '\u2800', '\u00AD', '\u202E', '\uFE0F', '\u{E0041}'])(
  'a title, a name or a tag of %j alone is missing',
  async (blank) => {
    const fields = { title: 'x', content: 'y' }
    for (const body of [
      { ...fields, title: blank },
      { ...fields, content: blank },
      { ...fields, tags: [blank] },
    ])
      expect(await t.refused('createEntry', { params: { milestoneId }, body }, { as: author })).toMatchObject(
        {
          status: 400,
        },
      )
    const project = { title: blank, description: 'x' }
    expect(await t.refused('createProject', { body: project }, { as: author })).toMatchObject({ status: 400 })
    expect(await t.refused('updateAccount', { body: { name: blank } }, { as: author })).toMatchObject({
      status: 400,
    })
  },
)
