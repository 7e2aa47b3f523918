import { beforeAll, describe, expect, it } from 'vitest'
import { IMPORT_SOURCES, type ImportSource } from '#contract/imports.ts'
import { picture } from '#server/files/testing.ts'
import type { Person } from '#server/testing/builders.ts'
import { blogger, memosOfOldApi, rssWithTwins, wordPressInParts } from './corpus/careless.ts'
import { dayOne } from './corpus/dayone.ts'
import { ghost } from './corpus/ghost.ts'
import { memos, memosOfApi } from './corpus/memos.ts'
import { notion, notionHtml } from './corpus/notion.ts'
import { atom, carelessRss, journiv, releases, rss } from './corpus/others.ts'
import { bear, jsonFeed, keep, medium, releaseLines, substack } from './corpus/programs.ts'
import { type ExpectedEntry, PICTURE, type Sample } from './corpus/sample.ts'
import { wordPress } from './corpus/wordpress.ts'
import { zipOf } from './testing.ts'
import { importingApp } from './testing-app.ts'

const SAMPLES = [
  dayOne,
  ghost,
  wordPress,
  wordPressInParts,
  memos,
  memosOfApi,
  memosOfOldApi,
  notion,
  notionHtml,
  journiv,
  rss,
  carelessRss,
  rssWithTwins,
  blogger,
  atom,
  releases,
  releaseLines,
  keep,
  jsonFeed,
  medium,
  substack,
  bear,
]

const { t, imports } = await importingApp()
const bytes = await picture(6, 4).png().toBuffer()

async function archiveOf({ files }: Sample): Promise<Buffer> {
  const [only, ...others] = Object.entries(files)
  if (others.length === 0 && only && typeof only[1] === 'string') return Buffer.from(only[1])
  return zipOf(
    Object.fromEntries(
      Object.entries(files).map(([path, content]) => [path, content === PICTURE ? bytes : content]),
    ),
  )
}

/** Everything that a person has, by title. */
async function everythingOf(as: Person) {
  const entries = new Map<
    string,
    { milestone: string; address: string; entry: Awaited<ReturnType<typeof read>> }
  >()
  const read = (milestoneId: string, entryId: string) =>
    t.call('readEntry', { params: { milestoneId, entryId } }, { as })
  const projects = await t.call('listProjects', {}, { as })
  for (const { _id: projectId } of projects) {
    const milestones = await t.call('listMilestones', { params: { projectId } }, { as })
    const titles = new Map(milestones.map(({ _id, title }) => [_id, title]))
    const page = await t.call('listProjectEntries', { params: { projectId }, query: { limit: 24 } }, { as })
    for (const { _id, milestone } of page.entries) {
      const entry = await read(milestone, _id)
      const address = `/projects/${projectId}/milestones/${milestone}/entries/${_id}`
      entries.set(entry.title, { milestone: titles.get(milestone) ?? '', address, entry })
    }
  }
  return { projects: projects.map(({ title }) => title).toSorted(), entries }
}

type Everything = Awaited<ReturnType<typeof everythingOf>>['entries']

/** Returns an entry in the words of its sample: of the expected texts those that it has, of the others those that it has too. */
function arrivedAs(title: string, expected: ExpectedEntry, entries: Everything): ExpectedEntry {
  const { milestone = '', entry } = entries.get(title) ?? {}
  const content = entry?.content ?? ''
  const addressed = (text: string) =>
    text.replaceAll(/\{([^{}]+)\}/g, (_whole, name: string) => entries.get(name)?.address ?? 'nowhere')
  const { at, author, cover, has = [], hasNot = [] } = expected
  return {
    milestone,
    on: entry?.happenedOn ?? '',
    ...(entry && { state: entry.state, tags: entry.tags }),
    ...(at !== undefined && entry && { at: entry.happenedAt }),
    ...(author !== undefined && { author: entry?.author?.name ?? null }),
    ...(cover && { cover: entry?.imageURL !== undefined }),
    has: has.filter((text) => content.includes(addressed(text))),
    hasNot: hasNot.filter((text) => content.includes(text)),
    files: new Set(content.match(/\/files\/[\da-f-]{36}/g)).size,
  }
}

it('every source has an archive here, except those with tests of their own', () => {
  const elsewhere: ImportSource[] = ['milepost', 'markdown']
  const sampled = new Set([...elsewhere, ...SAMPLES.map(({ source }) => source)])
  expect(IMPORT_SOURCES.filter((source) => !sampled.has(source))).toEqual([])
})

describe.each(SAMPLES)('an archive of $source ($name)', (sample) => {
  let brought: Awaited<ReturnType<typeof imports.bring>>
  let person: Person
  beforeAll(async () => {
    person = await t.person({ name: 'Lin' })
    brought = await imports.bring(person, sample.name, await archiveOf(sample))
  })

  it('is recognized, and its plan counts what the run creates', () => {
    const { state, problem, plan, report } = brought
    expect({ state, problem, source: plan?.source, counts: plan?.counts, made: report?.made }).toEqual({
      state: 'done',
      problem: null,
      source: sample.source,
      counts: sample.counts,
      made: sample.counts,
    })
  })

  it('says what does not come as it is, and why', () => {
    const named = (problems: { reason: string; paths: string[] }[] | undefined) =>
      Object.fromEntries((problems ?? []).map(({ reason, paths }) => [reason, paths]))
    expect(named(brought.plan?.problems)).toEqual(sample.problems)
    expect(named(brought.report?.problems)).toEqual(sample.problems)
  })

  it('arrives with its dates, tags, authors, pictures and links', async () => {
    const { projects, entries } = await everythingOf(person)
    expect(projects).toEqual(sample.projects)
    const arrived = Object.fromEntries(
      Object.entries(sample.entries).map(([title, expected]) => [title, arrivedAs(title, expected, entries)]),
    )
    expect([...entries.keys()].toSorted()).toEqual(Object.keys(arrived).toSorted())
    const wanted = Object.fromEntries(
      Object.entries(sample.entries).map(([title, { hasNot: _none, ...expected }]) => [
        title,
        { state: 'published', tags: [], files: 0, has: [], ...expected, hasNot: [] },
      ]),
    )
    expect(arrived).toEqual(wanted)
  })

  it('is all here already the second time', async () => {
    const again = await imports.bring(person, sample.name, await archiveOf(sample))
    expect(again).toMatchObject({
      state: 'done',
      plan: { here: sample.counts.entries },
      report: { here: sample.counts.entries, made: { projects: 0, milestones: 0, entries: 0 } },
    })
  })
})
