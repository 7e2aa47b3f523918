import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { features } from '#server/features.ts'
import { fileKey } from '#server/files/storage-keys.ts'
import { picture } from '#server/files/testing.ts'
import { uploader } from '#server/files/testing-uploads.ts'
import { importer } from '#server/import/testing.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import type { Sender } from '#server/testing/client.ts'
import { createExports } from './service.ts'
import { exported, unzipped } from './testing.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function download(as: Sender) {
  const { url } = await t.call('prepareExport', { body: {} }, { as })
  const response = await t.app.inject(url)
  expect(response).toMatchObject({ statusCode: 200 })
  expect(response.headers).toMatchObject({
    'content-type': 'application/zip',
    'cache-control': 'no-store',
    'content-disposition': expect.stringMatching(/^attachment; filename="milepost-\d{4}-\d\d-\d\d\.zip"; /),
  })
  const files = await unzipped(response.rawPayload)
  const text = (path: string) => files.get(path)?.toString() ?? ''
  return { files, paths: [...files.keys()], text, json: JSON.parse(text('milepost.json')) }
}

function splitDocument(document: string) {
  const [, matter = '', text = ''] = /^---\n(.*?)\n---\n\n(.*)$/s.exec(document) ?? []
  return { matter: parse(matter), text }
}

const upload = async (as: Person, projectId: string, name: string) =>
  uploader(t).upload(as, projectId, { name, bytes: await picture(6, 4).png().toBuffer() })

/** A person with a project and an entry. */
async function writer(name = 'Ada') {
  const ada = await t.person({ name })
  const project = await t.project(ada, { title: 'A radio' })
  const milestone = await t.milestone(ada, project._id, { title: 'Lumber & glue' })
  return { ada, project, milestone }
}

/** Returns the columns of a table that a resource in the archive has no field for. */
async function columnsWithout(table: string, resource: object): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} order by name`.execute(t.deps.db)
  const fieldOf = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return rows.map(({ name }) => name).filter((name) => !(fieldOf(name) in resource))
}

describe('the archive of all data', () => {
  it('has a Markdown file for each entry, with front matter and relative links to pictures, and everything as JSON', async () => {
    const { ada, project, milestone } = await writer()
    const file = await upload(ada, project._id, 'My board (1).png')
    const content = `Look:\n\n![a board](/files/${file._id})\n\nNot: /files/nothing`
    const fields = {
      title: 'First boards',
      content,
      tags: ['wood', 'a: "b"'],
      happenedAt: '2026-03-04T20:00:00.000Z',
      happenedZone: 'Europe/Berlin',
    }
    const entry = await t.entry(ada, milestone._id, fields)
    const { files, paths, text, json } = await download(ada)
    const path = 'projects/a-radio/01-lumber-glue/2026-03-04-first-boards.md'
    expect(paths).toEqual([
      'README.txt',
      'milepost.json',
      'projects/a-radio/project.md',
      'projects/a-radio/files/My board (1).png',
      path,
      'projects/a-radio/01-lumber-glue/milestone.md',
      'SHA256SUMS',
    ])
    const { matter, text: body } = splitDocument(text(path))
    expect(matter).toMatchObject({
      title: 'First boards',
      date: '2026-03-04',
      zone: 'Europe/Berlin',
      tags: ['wood', 'a: "b"'],
      milestone: 'Lumber & glue',
      author: 'Ada',
      version: entry.version,
    })
    expect(body).toBe(`${content.replace(`/files/${file._id}`, '../files/My%20board%20%281%29.png')}\n`)
    expect(files.get('projects/a-radio/files/My board (1).png')?.subarray(1, 4).toString()).toBe('PNG')
    expect(json).toMatchObject({
      format: 1,
      account: { name: 'Ada' },
      sessions: [],
      projects: [
        {
          _id: project._id,
          role: 'owner',
          members: [],
          milestones: [{ title: 'Lumber & glue', entries: [{ _id: entry._id, content, path }] }],
          activity: [{ kind: 'entry_written' }, { kind: 'milestone_created' }, { kind: 'project_created' }],
        },
      ],
    })
    expect(json.projects[0].milestones[0].entries[0].files).toMatchObject([
      { _id: file._id, path: 'projects/a-radio/files/My board (1).png' },
    ])
  })

  it('has every field that features name for their tables', async () => {
    const { ada, project, milestone } = await writer()
    const fieldsOf = (value: unknown, path = ''): string[] =>
      Array.isArray(value)
        ? value.flatMap((item) => fieldsOf(item, path))
        : typeof value === 'object' && value !== null
          ? Object.entries(value).flatMap(([name, inner]) => [
              `${path}${name}`,
              ...fieldsOf(inner, `${path}${name}.`),
            ])
          : []
    await t.entry(ada, milestone._id, { content: 'Cut' })
    await upload(ada, project._id, 'a.png')
    const { bytes } = await exported(t, ada, { history: true })
    const json = JSON.parse((await unzipped(bytes)).get('milepost.json')?.toString() ?? '')
    const fields = fieldsOf(json)
    const named = features.flatMap(({ tables = {} }) =>
      Object.values(tables).flatMap(({ exported }) => (typeof exported === 'string' ? exported : [])),
    )
    expect(named.filter((field) => !fields.includes(field))).toEqual([])
  })

  it('has the earlier versions of entries if they are wanted, as they were written, with the files that only they show', async () => {
    const { ada, project, milestone } = await writer()
    const file = await upload(ada, project._id, 'jig.png')
    const { _id: entryId } = await t.entry(ada, milestone._id, {
      title: 'First boards',
      content: `![the jig](/files/${file._id})`,
      happenedOn: '2026-03-04',
      happenedZone: 'UTC',
    })
    const params = { milestoneId: milestone._id, entryId }
    const save = (body: object) => {
      t.later(11 * 60_000)
      return t.call('updateEntry', { params, body }, { as: ada })
    }
    await save({ content: 'Without the jig' })
    await save({ title: 'Boards' })
    const { bytes } = await exported(t, ada, { scope: { project: project._id }, history: true })
    const files = await unzipped(bytes)
    const json = JSON.parse(files.get('milepost.json')?.toString() ?? '')
    const [entry] = json.projects[0].milestones[0].entries
    const folder = 'projects/a-radio/history/01-lumber-glue/2026-03-04-boards'
    expect(entry).toMatchObject({
      files: [],
      versions: [
        { version: 1, title: 'First boards', path: `${folder}/1.md`, files: [{ _id: file._id }] },
        {
          version: 2,
          title: 'First boards',
          path: `${folder}/2.md`,
          files: [],
          authors: ['Ada'],
          cause: 'save',
        },
        { version: 3, title: 'Boards', files: [], name: null },
      ],
    })
    expect(entry.versions[2]).not.toHaveProperty('path')
    expect(files.get(`${folder}/1.md`)?.toString()).toBe(`![the jig](/files/${file._id})`)
    expect([...files.keys()]).toContain('projects/a-radio/files/jig.png')
    expect(files.get('README.txt')?.toString()).toContain('history/')

    const viewer = await t.member(project._id, 'viewer')
    const read = await exported(t, viewer, { scope: { project: project._id }, history: true })
    expect((await unzipped(read.bytes)).get('milepost.json')?.toString()).not.toContain('versions')
  })

  it('is made by an operator for somebody who is not signed in, with earlier versions', async () => {
    const { ada, milestone } = await writer()
    await t.entry(ada, milestone._id, { title: 'First boards', content: 'Cut' })
    await t.deps.db.deleteFrom('sessions').where('user_id', '=', ada.userId).execute()
    const exports = createExports(t.deps, { features, publicUrl: 'http://localhost:3000' })
    const { bytes } = await exports.openForOperator(ada.userId)
    const files = await unzipped(await buffer(bytes))
    expect(JSON.parse(files.get('milepost.json')?.toString() ?? '')).toMatchObject({
      account: { name: 'Ada' },
      projects: [{ milestones: [{ entries: [{ content: 'Cut', versions: [{ version: 1 }] }] }] }],
    })
  })

  it('has no versions from when an entry was a draft of somebody else', async () => {
    const { ada, project, milestone } = await writer()
    const fields = { content: 'secret', state: 'draft' as const }
    const { _id: entryId } = await t.entry(ada, milestone._id, fields)
    t.later(11 * 60_000)
    const params = { milestoneId: milestone._id, entryId }
    await t.call('updateEntry', { params, body: { content: 'told', state: 'published' } }, { as: ada })
    const editor = await t.member(project._id, 'editor')
    const asked = { scope: { project: project._id }, history: true }
    const textsFor = async (person: Person) =>
      [...(await unzipped((await exported(t, person, asked)).bytes)).values()].join('\n')
    expect(await textsFor(editor)).not.toContain('secret')
    expect(await textsFor(ada)).toContain('secret')
  })

  // Add a new column to the archive, or to these lists.
  it.each([
    [
      'projects',
      'changed_at completed_milestone_count cover_file_id created_by file_bytes is_public milestone_count no_cover owner_id revision text_bytes',
    ],
    [
      'milestones',
      'created_by last_published_at newest_cover_at newest_entry_at position project_id revision text_bytes',
    ],
    [
      'entries',
      'author_id author_name cover_file_id first_picture_id history_bytes milestone_id no_cover title_key',
    ],
  ])('has a field for each column of %s that is not listed here', async (table, left) => {
    const { ada, milestone } = await writer()
    await t.entry(ada, milestone._id)
    const [project] = (await download(ada)).json.projects
    const [first] = project.milestones
    const resource = { projects: project, milestones: first, entries: first.entries[0] }[table]
    const ofEach = ['id', 'changes', 'deleted_at', 'deleted_by', 'deletion_id']
    expect(await columnsWithout(table, resource)).toEqual([...ofEach, ...left.split(' ')].toSorted())
  })

  it('has stable file names that are valid on every system', async () => {
    const { ada, milestone } = await writer()
    const titles = ['CON', 'Übung', 'übung', '../../etc/passwd', '🙂', '…', 'x'.repeat(200), '写真の日記']
    for (const title of titles)
      await t.entry(ada, milestone._id, { title, happenedAt: '2026-01-01T12:00:00Z', happenedZone: 'UTC' })
    const { paths } = await download(ada)
    expect(paths.filter((path) => path.includes('/2026'))).toEqual(
      ['con', 'übung', 'übung-2', 'etc-passwd', 'untitled', 'untitled-2', 'x'.repeat(60), '写真の日記'].map(
        (name) => `projects/a-radio/01-lumber-glue/2026-01-01-${name}.md`,
      ),
    )
    expect((await download(ada)).paths).toEqual(paths)
  })

  it('contains only the person’s own contributions to projects of others, and no private data of others', async () => {
    const { ada, project, milestone } = await writer()
    await t.entry(ada, milestone._id, { title: 'By Ada' })
    await t.entry(ada, milestone._id, { title: 'Secret of Ada', state: 'draft' })
    await t.milestone(ada, project._id, { title: 'Empty for Grace' })
    const grace = await t.member(project._id, 'editor')
    await t.entry(grace, milestone._id, { title: 'By Grace' })
    await t.entry(grace, milestone._id, { title: 'Secret of Grace', state: 'draft' })
    const ofGrace = await download(grace)
    expect(
      ofGrace.paths
        .filter((path) => path.includes('/'))
        .map((path) => path.replace(/\d{4}-\d\d-\d\d/, 'day')),
    ).toEqual([
      'shared/a-radio/project.md',
      'shared/a-radio/01-lumber-glue/day-by-grace.md',
      'shared/a-radio/01-lumber-glue/milestone.md',
      'shared/a-radio/01-lumber-glue/day-secret-of-grace.md',
    ])
    expect(ofGrace.json.projects[0]).not.toHaveProperty('members')
    const all = [...ofGrace.files.values()].join()
    for (const hidden of ['By Ada', 'Secret of Ada', 'Empty for Grace']) expect(all).not.toContain(hidden)
    const ofAda = [...(await download(ada)).files.values()].join()
    expect(ofAda).toContain('By Grace')
    expect(ofAda).not.toContain('Secret of Grace')
    const stranger = await download(await t.person())
    expect(stranger.json.projects).toEqual([])
  })

  it('has no secrets of tokens, webhooks, invitations or sessions', async () => {
    const { ada, project } = await writer()
    const { token } = await t.call(
      'createAccessToken',
      { body: { name: 'Nightly', scopes: ['read'], projects: null, days: 30 } },
      { as: ada },
    )
    const { secret } = await t.call(
      'createWebhook',
      { params: { projectId: project._id }, body: { url: 'https://example.test/hook' } },
      { as: ada },
    )
    const grace = await t.person({ email: 'grace-export@example.test' })
    const { inviteToken } = await t.invitation(ada, project._id, { email: 'grace-export@example.test' })
    const { files, json } = await download(ada)
    expect(json.accessTokens).toMatchObject([{ name: 'Nightly' }])
    expect(json.projects[0].webhooks).toMatchObject([{ url: 'https://example.test/hook' }])
    expect(json.projects[0].members).toMatchObject([
      { email: 'grace-export@example.test', status: 'pending' },
    ])
    const invited = await download(grace)
    expect(invited.json.notifications).toMatchObject([{ type: 'collaboration_invite' }])
    const bearer = ada.headers.authorization?.replace('Bearer ', '') ?? ''
    const texts = [...files.values(), ...invited.files.values()].join()
    for (const hidden of [token, secret, inviteToken, bearer]) {
      expect(hidden).not.toBe('')
      expect(texts).not.toContain(hidden)
    }
  })

  it('has unsaved drafts', async () => {
    const { ada, milestone } = await writer()
    const draftId = crypto.randomUUID()
    await t.call(
      'saveDraft',
      {
        params: { draftId },
        body: { milestone: milestone._id, title: 'Half', content: 'of it', tags: [] },
      },
      { as: ada },
    )
    const { text, json } = await download(ada)
    expect(text('drafts/half.md')).toContain('of it')
    expect(json.unsavedDrafts).toMatchObject([{ title: 'Half', content: 'of it', path: 'drafts/half.md' }])
  })

  it('contains only what its token may read, if a program requests it', async () => {
    const { ada, project, milestone } = await writer()
    await t.entry(ada, milestone._id, { title: 'To be read' })
    const other = await t.project(ada, { title: 'Not for programs' })
    const program = await t.program(ada, { scopes: ['read'], projects: [project._id] })
    const { json, paths } = await download(program)
    expect(Object.keys(json)).toEqual(['format', 'madeAt', 'projects'])
    expect(json.projects).toMatchObject([{ _id: project._id }])
    expect(json.projects[0]).not.toHaveProperty('webhooks')
    expect(paths.join()).not.toContain('not-for-programs')
    expect(other._id).toBeDefined()
    const writing = await t.program(ada, { scopes: ['write'] })
    expect(await t.refused('prepareExport', { body: {} }, { as: writing })).toMatchObject({
      code: 'insufficient_scope',
    })
  })

  it('lists missing files', async () => {
    const { ada, project, milestone } = await writer()
    const file = await upload(ada, project._id, 'lost.png')
    await t.entry(ada, milestone._id, { content: `![](/files/${file._id})` })
    await t.deps.files.remove(fileKey({ id: file._id, attempt: 1 }, 'original'))
    expect((await download(ada)).text('missing-files.txt')).toBe('projects/a-radio/files/lost.png\n')
  })

  it('goes on without a file that the store does not give', async () => {
    const { ada, project, milestone } = await writer()
    const refused = await upload(ada, project._id, 'refused.png')
    const kept = await upload(ada, project._id, 'kept.png')
    await t.entry(ada, milestone._id, { content: `![](/files/${refused._id}) ![](/files/${kept._id})` })
    const read = t.deps.files.read.bind(t.deps.files)
    vi.spyOn(t.deps.files, 'read').mockImplementation((key, part) => {
      if (key.includes(refused._id))
        return Promise.reject(Object.assign(new Error('permission denied'), { code: 'EACCES' }))
      return read(key, part)
    })
    const archive = await download(ada).finally(() => vi.restoreAllMocks())
    expect(archive.text('missing-files.txt')).toBe('projects/a-radio/files/refused.png\n')
    expect(archive.paths).toContain('projects/a-radio/files/kept.png')
  })

  it('has the checksum of every file', async () => {
    const { ada, project, milestone } = await writer()
    const file = await upload(ada, project._id, 'board.png')
    await t.entry(ada, milestone._id, { content: `![](/files/${file._id})` })
    const { files, text } = await download(ada)
    const lines = [...files]
      .filter(([path]) => path !== 'SHA256SUMS')
      .map(([path, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${path}\n`)
    expect(text('SHA256SUMS')).toBe(lines.join(''))
    expect(lines.length).toBeGreaterThan(4)
  })
})

describe('the link to an archive', () => {
  const urlFor = async (person: Person) => (await t.call('prepareExport', { body: {} }, { as: person })).url
  const statusOf = async (url: string) => (await t.app.inject(url)).statusCode
  /**
   * Returns the status of a response after reading it to the end: an unread response keeps its connection open, and a
   * closing server would wait for it.
   */
  const downloadFrom = async (url: string) => {
    const response = await fetch(url)
    await response.arrayBuffer()
    return response.status
  }

  async function writerWithPicture(): Promise<Person> {
    const { ada, project, milestone } = await writer()
    const file = await upload(ada, project._id, 'radio.png')
    await t.entry(ada, milestone._id, { content: `![](/files/${file._id})` })
    return ada
  }

  /** Makes archives wait at their first picture until the returned function is called. */
  function pausePictures(): () => void {
    const { files } = t.deps
    const read = files.read.bind(files)
    const { promise: isResumed, resolve: resume } = Promise.withResolvers<void>()
    const paused = vi.spyOn(files, 'read').mockImplementation(async (key) => {
      await isResumed
      return read(key)
    })
    return () => {
      paused.mockRestore()
      resume()
    }
  }

  async function listening(): Promise<string> {
    if (!t.app.server.listening) await t.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = t.app.server.address() as AddressInfo
    return `http://127.0.0.1:${port}`
  }

  it('is valid for a minute, while the session that requested it is open', async () => {
    const ada = await t.person()
    const grace = await t.person()
    const url = await urlFor(ada)
    expect(await statusOf(url)).toBe(200)
    expect(await statusOf(url.replace(ada.userId, grace.userId))).toBe(404)
    expect(await statusOf(url.replace('program=no', 'program=yes'))).toBe(404)
    expect(await statusOf(url.replace(/until=\d+/, 'until=9999999999'))).toBe(404)
    expect(await statusOf('/api/exports/download')).toBe(404)
    t.later(62_000)
    expect(await statusOf(url)).toBe(404)
    const next = await urlFor(ada)
    await t.call('signOut', {}, { as: ada })
    expect(await statusOf(next)).toBe(404)
  })

  it('is created at most ten times an hour', async () => {
    const ada = await t.person()
    for (let count = 0; count < 10; count += 1) await urlFor(ada)
    expect(await t.refused('prepareExport', { body: {} }, { as: ada })).toMatchObject({
      code: 'too_many_requests',
    })
  })

  it('sends one archive at a time to a person, and an aborted one leaves no files', async () => {
    const ada = await writerWithPicture()
    const resume = pausePictures()
    const origin = await listening()
    const abort = new AbortController()
    const first = await fetch(origin + (await urlFor(ada)), { signal: abort.signal })
    expect(first.status).toBe(200)
    expect(await downloadFrom(origin + (await urlFor(ada)))).toBe(429)
    abort.abort()
    resume()
    const url = await urlFor(ada)
    await expect.poll(() => downloadFrom(origin + url)).toBe(200)
    expect(await readdir(t.deps.files.incoming)).toEqual([])
  })
  it('sends archives to others while some are read slowly', async () => {
    const slow = [await writerWithPicture(), await writerWithPicture(), await writerWithPicture()]
    const quick = await t.person()
    const resume = pausePictures()
    const origin = await listening()
    const responses = await Promise.all(slow.map(async (who) => fetch(origin + (await urlFor(who)))))
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await downloadFrom(origin + (await urlFor(quick)))).toBe(200)
    resume()
    await Promise.all(responses.map((response) => response.arrayBuffer()))
  })
})

describe('an entry as Markdown', () => {
  const entryOf = async (content: string, fields: object = {}) => {
    const { ada, project, milestone } = await writer()
    const file = await upload(ada, project._id, 'My board (1).png')
    const entry = await t.entry(ada, milestone._id, {
      title: 'First  boards: #1',
      content: content.replace('FILE', file._id),
      tags: ['#1', 'a: b'],
      happenedAt: '1905-03-04T20:00:00.000Z',
      happenedZone: 'Asia/Kathmandu',
      ...fields,
    })
    return { ada, project, milestone, entry }
  }

  it('is a text if it has no files, and an archive with them if it has some', async () => {
    const plain = await entryOf('They smell of **summer**.\n')
    const alone = await exported(t, plain.ada, { scope: { entry: plain.entry._id } })
    expect(alone.headers).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'content-disposition': expect.stringContaining('filename="1905-03-05-first-boards-1.md"'),
    })
    expect(splitDocument(alone.bytes.toString())).toMatchObject({
      matter: { title: 'First  boards: #1', date: '1905-03-05', milestone: 'Lumber & glue' },
      text: 'They smell of **summer**.\n',
    })
    const { ada, entry } = await entryOf('Look: ![](/files/FILE)')
    const { bytes } = await exported(t, ada, { scope: { entry: entry._id }, format: 'md' })
    const files = await unzipped(bytes)
    expect([...files.keys()]).toEqual(['1905-03-05-first-boards-1.md', 'files/My board (1).png'])
    expect(files.get('1905-03-05-first-boards-1.md')?.toString()).toContain(
      '![](files/My%20board%20%281%29.png)',
    )
  })

  it('is imported as it was', async () => {
    const imports = importer(t)
    for (const state of ['draft', 'published'] as const) {
      const { ada, entry } = await entryOf('Look:\n\n![](/files/FILE)\n', { state })
      const { bytes } = await exported(t, ada, { scope: { entry: entry._id } })
      const brought = await imports.bring(ada, 'entry.zip', bytes)
      expect(brought).toMatchObject({ report: { problems: [], made: { entries: 1, files: 1 } } })
      const projectId = brought.report?.projects[0]?._id ?? ''
      const listed = await t.call('listProjectEntries', { params: { projectId }, query: {} }, { as: ada })
      const { title, tags, happenedAt, happenedOn, happenedZone, author } = entry
      expect(listed.entries).toMatchObject([
        { title, tags, happenedAt, happenedOn, happenedZone, author, state, imageURL: expect.any(String) },
      ])
    }
  })

  it('is taken by whoever may view it', async () => {
    const { ada, project, milestone, entry } = await entryOf('Cut')
    const draft = await t.entry(ada, milestone._id, { state: 'draft' })
    const viewer = await t.member(project._id, 'viewer')
    const stranger = await t.person()
    const refused = async (as: Sender, entryId: string) =>
      (await t.refused('prepareExport', { body: { scope: { entry: entryId } } }, { as })).status
    expect((await exported(t, viewer, { scope: { entry: entry._id } })).bytes.toString()).toContain('Cut')
    expect(await refused(stranger, entry._id)).toBe(404)
    expect(await refused(viewer, draft._id)).toBe(404)
    const { url } = await t.call('prepareExport', { body: { scope: { entry: entry._id } } }, { as: viewer })
    await t.deps.db.deleteFrom('collaborators').where('project_id', '=', project._id).execute()
    expect((await t.app.inject(url)).statusCode).toBe(404)
  })
})

describe('the archive of a project', () => {
  it('has what its member may read, and nothing about its people', async () => {
    const { ada, project, milestone } = await writer()
    await t.entry(ada, milestone._id, { title: 'By Ada' })
    await t.entry(ada, milestone._id, { title: 'Secret of Ada', state: 'draft' })
    const trashed = await t.entry(ada, milestone._id, { title: 'In the trash' })
    const params = { milestoneId: milestone._id, entryId: trashed._id }
    await t.call('deleteEntry', { params }, { as: ada })
    await t.invitation(ada, project._id, { email: 'invited@example.test' })
    const viewer = await t.member(project._id, 'viewer')
    const { bytes } = await exported(t, viewer, { scope: { project: project._id } })
    const files = await unzipped(bytes)
    const all = [...files].map(([path, content]) => `${path}\n${content.toString()}`).join('\n')
    expect(all).toContain('By Ada')
    for (const hidden of ['Secret of Ada', 'In the trash', '@example.test', 'activity"', 'members"'])
      expect(all).not.toContain(hidden)
    const stranger = await t.person()
    expect(
      await t.refused('prepareExport', { body: { scope: { project: project._id } } }, { as: stranger }),
    ).toMatchObject({
      status: 404,
    })
    await t.call(
      'updateProject',
      { params: { projectId: project._id }, body: { isPublic: true } },
      { as: ada },
    )
    expect(
      await t.refused('prepareExport', { body: { scope: { project: project._id } } }, { as: stranger }),
    ).toMatchObject({
      status: 403,
    })
  })

  it('as Markdown has no records', async () => {
    const { ada, project, milestone } = await writer()
    await t.entry(ada, milestone._id, { title: 'By Ada' })
    const { bytes } = await exported(t, ada, { scope: { project: project._id }, format: 'md' })
    const paths = [...(await unzipped(bytes)).keys()]
    expect(paths).toHaveLength(3)
    expect(paths.every((path) => path.startsWith('projects/a-radio/') && path.endsWith('.md'))).toBe(true)
  })
})
