import type { z } from 'zod'
import { usableZone } from '#contract/parts/date-formats.ts'
import { readText } from '#server/import/archive.ts'
import { type Converting, entriesOf } from '#server/import/converting/documents.ts'
import { descriptionOf, storedTags, storedTitle } from '#server/import/converting/texts.ts'
import { type Item, Refused } from '#server/import/items.ts'
import { type ArchivedFiles, createArchivedFiles } from './files.ts'
import { coverOf, entry, milestone, ofRecord, parseArchive, parsed, project } from './records.ts'
import { readHistory, versionItems } from './versions.ts'

const JSON_MAX = 100_000_000

type Reading = Pick<Converting, 'problems'> & { files: ArchivedFiles }

/** Brings back what `server/export/` has written, under the same ids where they are free. */
export async function* convertMilepost(converting: Converting): AsyncGenerator<Item> {
  const { archive, problems } = converting
  const found = archive.items.find(({ path }) => /^(?:[^/]+\/)?milepost\.json$/.test(path))
  if (!found) throw new Refused('The archive has no file milepost.json.')
  const base = found.path.slice(0, -'milepost.json'.length)
  const read = parseArchive(await readText(found, JSON_MAX))
  for (const missing of await listMissing(archive.items, base))
    problems.add('the archive was made without it', missing)
  const files = await createArchivedFiles(converting, base)
  await files.reportDamage(found)
  for (const [number, record] of read.projects.entries()) {
    const given = parsed(problems, project, record, `project ${number + 1}`)
    if (given) yield* projectItems({ problems, files }, given)
  }
}

async function* projectItems(reading: Reading, given: z.output<typeof project>): AsyncGenerator<Item> {
  const { shown, added } = await reading.files.of(given.cover ? [given.cover] : [], given._id)
  yield* added
  yield {
    kind: 'project',
    ...ofRecord(given),
    title: storedTitle(given.title),
    description: descriptionOf(given.description, given.title),
    visibility: given.visibility,
    ...(given.cover === null ? { cover: null } : shown[0] ? { cover: shown[0].ref } : {}),
  }
  for (const [number, record] of given.milestones.entries()) {
    const stage = parsed(reading.problems, milestone, record, `${given.title}, milestone ${number + 1}`)
    if (stage) yield* milestoneItems(reading, stage, given._id)
  }
}

async function* milestoneItems(
  reading: Reading,
  stage: z.output<typeof milestone>,
  projectId: string,
): AsyncGenerator<Item> {
  yield {
    kind: 'milestone',
    ...ofRecord(stage),
    project: projectId,
    title: storedTitle(stage.title),
    description: descriptionOf(stage.description, stage.title),
    completed: stage.completed,
    startsOn: stage.startsOn ?? null,
    dueOn: stage.dueOn ?? null,
    reachedAt: stage.reachedAt ?? null,
  }
  for (const [number, record] of stage.entries.entries()) {
    const text = parsed(reading.problems, entry, record, `${stage.title}, entry ${number + 1}`)
    if (text) yield* entryItems(reading, text, { projectId, milestoneId: stage._id })
  }
}

/** A text that is too long comes as several entries. */
async function* entryItems(
  { problems, files }: Reading,
  text: z.output<typeof entry>,
  { projectId, milestoneId }: { projectId: string; milestoneId: string },
): AsyncGenerator<Item> {
  const { shown, added } = await files.of(text.files, projectId)
  yield* added
  const { happenedAt, happenedOn, happenedZone } = text
  const given = {
    ...text,
    key: text._id,
    milestone: milestoneId,
    isDraft: text.state === 'draft',
    happened: { at: happenedAt, on: happenedOn, zone: usableZone(happenedZone) },
    author: text.author?.name ?? null,
  }
  const items = entriesOf(given, problems)
  const history = items.length === 1 ? readHistory(problems, text) : undefined
  for (const item of items) {
    const { key, path, content, isDraft, happened, author, milestone } = item
    yield {
      kind: 'entry',
      ...ofRecord(text),
      key,
      ref: key === text._id ? text._id : item.ref,
      path,
      title: content === text.content ? storedTitle(text.title) : item.title,
      content,
      tags: storedTags(text.tags),
      isDraft,
      happened,
      milestone,
      author: author ?? null,
      publishedAt: text.publishedAt,
      ...coverOf(text.coverFile, shown),
      ...(history?.latest && { latest: history.latest }),
    }
  }
  if (history)
    yield* versionItems({ problems, files }, history.earlier, { entry: text._id, projectId, shown })
}

async function listMissing(items: Converting['archive']['items'], base: string): Promise<string[]> {
  const list = items.find(({ path }) => path === `${base}missing-files.txt`)
  return list ? (await readText(list, 10_000_000)).split('\n').filter((line) => line !== '') : []
}
