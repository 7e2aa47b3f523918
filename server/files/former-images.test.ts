import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrate } from '#server/database/migrate.ts'
import { emptyDatabase, testDatabase } from '#server/database/testing.ts'
import { findInconsistencies, rowsOf } from '#server/database/testing-contents.ts'
import { onServer } from '#server/database/testing-setup.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { deleted, purged } from '#server/trash/testing.ts'
import { sweepFiles } from './sweep.ts'
import { picture } from './testing.ts'

/** An id whose last digits say what it is of. */
const id = (kind: 'a' | 'b' | 'c' | 'd' | 'e' | 'f', number: number) =>
  `01a1f0a5-0000-4000-8000-${kind}${String(number).padStart(11, '0')}`

const OWNER = id('a', 1)
const PRIVATE = { projectId: id('b', 1), milestoneId: id('c', 1) }
const PUBLIC = { projectId: id('b', 2), milestoneId: id('c', 2) }
const FILE = id('f', 99)
const ORPHAN = id('f', 98)
const AT = `'2026-03-04T05:06:07Z'`
const EARLIER = `'2026-01-02T03:04:05Z'`

/** The entries of the previous version, by number: those of the private project are even. */
const entries = {
  shown: 2,
  published: 1,
  covered: 4,
  withoutCover: 6,
  trashed: 8,
  draft: 10,
  small: 12,
  tall: 14,
  withHistory: 16,
} as const
type Name = keyof typeof entries

const imageOf = (name: Name) => id('f', entries[name])
const refOf = (name: Name) => ({
  milestoneId: entries[name] % 2 === 0 ? PRIVATE.milestoneId : PUBLIC.milestoneId,
  entryId: id('e', entries[name]),
})
const sizeOf = (name: Name) =>
  name === 'small'
    ? { width: 60, height: 40 }
    : name === 'tall'
      ? { width: 600, height: 1_200 }
      : { width: 1_600, height: 1_200 }

const insertEntry = (name: Name, columns = '', values = '') => {
  const { width, height } = sizeOf(name)
  const { milestoneId, entryId } = refOf(name)
  return [
    `insert into images (id) values ('${imageOf(name)}')`,
    `insert into entries (id, milestone_id, title, content, tags, image_id, image_width, image_height, image_bytes,
       created_at, updated_at ${columns}) values ('${entryId}', '${milestoneId}', '${name}', 'It rose.', '{}',
       '${imageOf(name)}', ${width}, ${height}, 1000, ${AT}, ${AT} ${values})`,
  ]
}

/** Entries of every kind of cover, state and place, numbered from 100. */
const anyEntries = fc
  .sample(
    fc.record({
      isPublic: fc.boolean(),
      image: fc.boolean(),
      cover: fc.constantFrom('file', 'none', 'default'),
      first: fc.boolean(),
      state: fc.constantFrom('draft', 'published'),
      isTrashed: fc.boolean(),
      width: fc.integer({ min: 1, max: 2_400 }),
      height: fc.integer({ min: 1, max: 2_400 }),
    }),
    { numRuns: 60, seed: 20_261_128 },
  )
  .map((entry, index) => ({ ...entry, entryId: id('e', 100 + index), imageId: id('f', 100 + index) }))

const insertAny = anyEntries.flatMap(({ entryId, imageId, isPublic, image, cover, first, ...entry }) => {
  const { milestoneId } = isPublic ? PUBLIC : PRIVATE
  const [imageColumns, bytes] = image
    ? [`'${imageId}', ${entry.width}, ${entry.height}`, 100]
    : ['null, null, null', 0]
  const file = cover === 'file' ? `'${FILE}'` : 'null'
  return [
    ...(image ? [`insert into images (id) values ('${imageId}')`] : []),
    `insert into entries (id, milestone_id, title, content, tags, image_id, image_width, image_height, image_bytes, cover_file_id,
       no_cover, first_picture_id, state, deleted_at, deletion_id, created_at, updated_at) values ('${entryId}', '${milestoneId}', 'x', 'x',
       '{}', ${imageColumns}, ${bytes}, ${file}, ${cover === 'none'}, ${first ? `'${FILE}'` : 'null'}, '${entry.state}',
       ${entry.isTrashed ? `now(), '${id('d', 99)}'` : 'null, null'}, ${EARLIER}, ${EARLIER})`,
    ...(cover === 'file'
      ? [`insert into file_uses (file_id, entry_id, used_as) values ('${FILE}', '${entryId}', 'cover')`]
      : []),
  ]
})

/** What the previous version stored. */
const statements = [
  `insert into users (id, issuer, subject, name, email, email_verified, created_at, updated_at)
   values ('${OWNER}', 'local', 'ada', 'Ada', 'ada@example.test', true, ${AT}, ${AT})`,
  ...[PRIVATE, PUBLIC].flatMap(({ projectId, milestoneId }) => [
    `insert into projects (id, owner_id, title, description, visibility, created_at, updated_at) values
     ('${projectId}', '${OWNER}', 'A bakery', 'x', '${projectId === PUBLIC.projectId ? 'public' : 'private'}', ${AT}, ${AT})`,
    `insert into milestones (id, project_id, title, description, completed, created_at, updated_at) values
     ('${milestoneId}', '${projectId}', 'Ovens', 'x', false, ${AT}, ${AT})`,
  ]),
  `insert into files (id, project_id, uploader_id, name, kind, type, size, bytes, state, width, height, widths, attempt,
     created_at) values ('${FILE}', '${PRIVATE.projectId}', '${OWNER}', 'oven.jpg', 'image', 'image/jpeg', 7, 9, 'ready', 640,
     480, '{480,640}', 1, ${AT})`,
  `insert into images (id, remove_after) values ('${ORPHAN}', now() + interval '1 hour')`,
  ...insertEntry('shown'),
  ...insertEntry('published'),
  ...insertEntry('covered', ', cover_file_id', `, '${FILE}'`),
  `insert into file_uses (file_id, entry_id, used_as) values ('${FILE}', '${refOf('covered').entryId}', 'cover')`,
  ...insertEntry('withoutCover', ', no_cover', ', true'),
  ...insertEntry('trashed', ', deleted_at, deleted_by, deletion_id', `, now(), '${OWNER}', '${id('d', 1)}'`),
  `insert into deletions (id, project_id, milestone_id, entry_id, deleted_at, deleted_by, milestones, entries)
   values ('${id('d', 1)}', '${PRIVATE.projectId}', '${PRIVATE.milestoneId}', '${refOf('trashed').entryId}', now(),
     '${OWNER}', 0, 1)`,
  ...insertEntry('draft', ', state', `, 'draft'`),
  ...insertEntry('small'),
  ...insertEntry('tall'),
  ...insertEntry('withHistory', ', version, history_bytes', `, 2, 14`),
  ...['Before', 'withHistory'].map(
    (title, at) => `
    insert into entry_revisions (id, entry_id, first_version, version, title, content, tags, happened_at, happened_on,
      happened_zone, state, author_ids, author_names, cause, bytes, begun_at, created_at) values ('${id('d', 11 + at)}',
      '${refOf('withHistory').entryId}', ${at + 1}, ${at + 1}, '${title}', 'It rose.', '{}', ${AT}, '2026-03-04', 'UTC',
      'published', '{}', '{}', 'save', ${title.length + 8}, ${AT}, ${AT})`,
  ),
  `insert into entry_drafts (id, writer_id, entry_id, milestone_id, title, content, tags, cover_choice, base_version, created_at,
     updated_at) values ('${id('d', 3)}', '${OWNER}', '${refOf('shown').entryId}', '${PRIVATE.milestoneId}', 'Half', 'x', '{}',
     'default', 1, ${AT}, ${AT})`,
  ...insertAny,
]

const COUNTED =
  'select id, revision, file_bytes, (select file_bytes from storage_usage) as of_account from projects order by id'

let t: TestApp
let editor: Person
let counted: { before: unknown[]; after: unknown[]; inconsistencies: unknown[] }
/** The bytes of each image of the previous version, by variant. */
const stored = new Map<string, Buffer>()

const keyOf = (imageId: string, variant: 'full' | 'small') =>
  `images/${imageId.slice(-2)}/${imageId}-${variant}.webp`

beforeAll(async () => {
  const own = emptyDatabase()
  const { config } = await own
  await migrate(config, '0056_last_backup')
  const before = await onServer(config, async (client) => {
    for (const statement of statements) await client.query(statement)
    return (await client.query(COUNTED)).rows
  })
  await migrate(config)
  counted = {
    before,
    after: await rowsOf(config, COUNTED),
    inconsistencies: await findInconsistencies(config),
  }
  t = await testApp({}, { database: await testDatabase(own) })
  for (const [at, imageId] of [ORPHAN, ...(Object.keys(entries) as Name[]).map(imageOf)].entries())
    for (const [variant, side] of [
      ['full', 60],
      ['small', 30],
    ] as const) {
      const bytes = await picture(side, side + at)
        .webp()
        .toBuffer()
      await t.deps.files.put(keyOf(imageId, variant), bytes, 'image/webp')
      stored.set(`${imageId} ${variant}`, bytes)
    }
  editor = await t.member(PRIVATE.projectId, 'editor')
})
afterAll(() => t.close())

/** The address that the previous version handed out. */
const formerURL = (name: Name, variant: 'full' | 'small', reader?: Person) => {
  const path = `/api/media/${imageOf(name)}/${variant}`
  const query = reader && t.deps.links.personal(imageOf(name), 'widest', reader.userId).split('?', 2)[1]
  return query === undefined ? path : `${path}?${query}`
}

const get = async (url: string) => {
  const { statusCode, rawPayload } = await t.app.inject(url)
  return statusCode === 200 ? rawPayload : statusCode
}

const read = (name: Name, as?: Person) => t.call('readEntry', { params: refOf(name) }, { as })

it('an image counts once, for the same account, and its project has not changed', () => {
  expect(counted).toEqual({ before: counted.before, after: counted.before, inconsistencies: [] })
})

it('every entry shows the same picture as before, and every image is a file that something uses', async () => {
  const { rows: shown } = await t.pool.query(
    `select id, coalesce(cover_file_id, case when not no_cover then first_picture_id end) as shown from entries
     where id = any($1) order by id`,
    [anyEntries.map(({ entryId }) => entryId)],
  )
  const before = anyEntries.map(({ entryId, imageId, image, cover, first }) => {
    const byDefault = cover !== 'none' && first ? FILE : null
    return { id: entryId, shown: cover === 'file' ? FILE : image ? imageId : byDefault }
  })
  expect(shown).toEqual(before)
  const images = anyEntries.filter(({ image }) => image)
  const { rows: files } = await t.pool.query(
    `select id, widths[cardinality(widths)] as width, height, cardinality(widths) as sizes from files
     where id = any($1) and state = 'ready' and unused_since is null order by id`,
    [images.map(({ imageId }) => imageId)],
  )
  expect(files).toEqual(
    images.map(({ imageId, width, height }) => {
      // Scaled to 800 pixels on a side, it may still be as wide.
      const smaller = Math.max(1, Math.round((width * 800) / Math.max(width, height)))
      return { id: imageId, width, height, sizes: Math.max(width, height) > 800 && smaller < width ? 2 : 1 }
    }),
  )
})

describe('an address from before the update', () => {
  it.each(['shown', 'withoutCover', 'small', 'tall', 'withHistory', 'covered'] as const)(
    'leads to the same bytes as before, for those who may view the entry (%s)',
    async (name) => {
      expect(await get(formerURL(name, 'full', editor))).toEqual(stored.get(`${imageOf(name)} full`))
      // A small picture has one width.
      const small = name === 'small' ? 'full' : 'small'
      expect(await get(formerURL(name, 'small', editor))).toEqual(stored.get(`${imageOf(name)} ${small}`))
      expect(await get(formerURL(name, 'full'))).toBe(404)
      expect(await get(formerURL(name, 'full', await t.person()))).toBe(404)
    },
  )

  it('of a private project has no effect once the reader may no longer view it', async () => {
    const viewer = await t.member(PRIVATE.projectId, 'viewer')
    const url = formerURL('shown', 'small', viewer)
    expect(await get(url)).toEqual(stored.get(`${imageOf('shown')} small`))
    await t.deps.db.deleteFrom('collaborators').where('user_id', '=', viewer.userId).execute()
    expect(await get(url)).toBe(404)
  })

  it('of a public project is private on every server as soon as the project is', async () => {
    const replica = await t.replica()
    const url = formerURL('published', 'full')
    const statuses = async () =>
      Promise.all([t.app, replica].map(async (app) => (await app.inject(url)).statusCode))
    const publish = (visibility: 'public' | 'private') =>
      t.deps.db.updateTable('projects').set({ visibility }).where('id', '=', PUBLIC.projectId).execute()
    expect(await statuses()).toEqual([200, 200])
    await publish('private')
    expect(await statuses()).toEqual([404, 404])
    await publish('public')
    expect(await statuses()).toEqual([200, 200])
    await replica.close()
  })

  it('of a draft is that of its author alone', async () => {
    expect(await get(formerURL('draft', 'full', editor))).toBe(404)
    await t.pool.query('update entries set author_id = $1 where id = $2', [
      editor.userId,
      refOf('draft').entryId,
    ])
    expect(await get(formerURL('draft', 'full', editor))).toEqual(stored.get(`${imageOf('draft')} full`))
  })

  it('of an entry in the trash works again once it is restored', async () => {
    expect(await get(formerURL('trashed', 'full', editor))).toBe(404)
    const admin = await t.member(PRIVATE.projectId, 'admin')
    await t.call('restoreDeletion', { params: { deletionId: id('d', 1) }, body: {} }, { as: admin })
    expect(await get(formerURL('trashed', 'full', editor))).toEqual(stored.get(`${imageOf('trashed')} full`))
  })
})

describe('an entry with an image from before the update', () => {
  it.each(['shown', 'withoutCover', 'tall', 'withHistory'] as const)(
    'shows it as its cover (%s)',
    async (name) => {
      const { coverFile, imageURL = '', image } = await read(name, editor)
      expect(coverFile).toBe(imageOf(name))
      expect(image).toMatchObject(sizeOf(name))
      expect(await get(imageURL)).toEqual(stored.get(`${imageOf(name)} full`))
      expect(await get(image?.smallURL ?? '')).toEqual(stored.get(`${imageOf(name)} small`))
    },
  )

  it('shows a chosen cover instead, as before', async () => {
    expect(await read('covered', editor)).toMatchObject({ coverFile: FILE, image: { width: 640 } })
  })

  it('is shown with it to visitors, and on the card of its project', async () => {
    const { imageURL = '' } = await read('published')
    expect(imageURL).toBe(`/api/media/${imageOf('published')}/widest`)
    const { project } = await t.call('readWorldPage', { params: { projectId: PUBLIC.projectId } })
    expect(project).toMatchObject({ imageURL })
    const shared = await t.app.inject(`/world/${PUBLIC.projectId}/share.jpg`)
    expect([shared.statusCode, shared.headers['content-type']]).toEqual([200, 'image/jpeg'])
  })

  it('has it in its earlier versions, as restoring one kept it', async () => {
    const params = { ...refOf('withHistory'), revisionId: id('d', 11) }
    const restored = await t.call('restoreRevision', { params }, { as: editor })
    expect(restored).toMatchObject({ title: 'Before', coverFile: imageOf('withHistory') })
  })

  it('has it in a text that is being written, in which it was not hidden', async () => {
    const { rows } = await t.pool.query('select cover_file_id, cover_choice from entry_drafts')
    expect(rows).toEqual([{ cover_file_id: imageOf('shown'), cover_choice: null }])
  })

  it('takes it along to another project, and into the trash and back', async () => {
    const admin = await t.member(PRIVATE.projectId, 'admin')
    const { _id: projectId } = await t.project(admin)
    const { _id: milestone } = await t.milestone(admin, projectId)
    const params = refOf('tall')
    await t.call('updateEntry', { params, body: { milestone } }, { as: admin })
    expect(await get(formerURL('tall', 'full', editor))).toBe(404)
    expect(await get(formerURL('tall', 'full', admin))).toEqual(stored.get(`${imageOf('tall')} full`))
    const target = { ...params, milestoneId: milestone }
    const deletionId = await deleted(t, admin, target)
    expect(await get(formerURL('tall', 'full', admin))).toBe(404)
    await t.call('restoreDeletion', { params: { deletionId }, body: {} }, { as: admin })
    expect(await get(formerURL('tall', 'full', admin))).toEqual(stored.get(`${imageOf('tall')} full`))
    await purged(t, admin, target)
    await t.pool.query(`update files set unused_since = '-infinity' where unused_since is not null`)
    await sweepFiles(t.deps)
    expect((await t.kept()).filter((name) => name.includes(imageOf('tall')))).toEqual([])
  })

  it('loses it as a form asks, and its last use ends with that of its history', async () => {
    const params = refOf('small')
    const changed = await t.call('updateEntry', { params, body: { removeImage: true } }, { as: editor })
    expect(changed).not.toHaveProperty('imageURL')
    // Its editors may return to the version with it.
    expect(await get(formerURL('small', 'full', editor))).toEqual(stored.get(`${imageOf('small')} full`))
  })
})

it('what no entry showed before the update is removed', async () => {
  await sweepFiles(t.deps)
  expect((await t.kept()).filter((name) => name.includes(ORPHAN))).toEqual([])
  expect(await findInconsistencies(t.config)).toEqual([])
})
