import type { CallName } from '#contract/calls.ts'
import { exported, unzipped } from '#server/export/testing.ts'
import type { FileVariant } from '#server/files/storage-keys.ts'
import type { TestApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import type { Sender } from '#server/testing/client.ts'
import {
  type Browser,
  isLong,
  markerOf,
  type Reader,
  type Scene,
  type State,
  slugOf,
  states,
} from './scene.ts'

/**
 * Whom a way serves. `pages`: browsers, whoever is signed in, and what a link shows through it; `public pages`: the same without links.
 * `world`: everybody as a visitor. `api`: everybody by their rights. `accounts` and `members`: only these. Where links do not lead, their
 * readers are visitors.
 */
export type Audience = 'pages' | 'public pages' | 'world' | 'api' | 'accounts' | 'members'

/** A way by which entries leave the server. `read` returns a text with the markers of those that it shows. */
export type Way = {
  name: string
  audience: Audience
  /** Only projects of these visibilities. */
  only?: 'public'
  /** Whether it names only some of the entries that its reader may see, such as the latest. */
  isPartial?: true
  /** Whether it has what its owner may bring back from the trash. */
  hasTrash?: true
  /** Whether a link to one entry does not lead here. */
  ofWhole?: true
  read: (t: TestApp, scene: Scene, reader: Reader) => Promise<string>
}

type OfEntry = { projectId: string; milestoneId: string; entryId: string }

const eachEntry = async (scene: Scene, read: (ref: OfEntry, state: State) => Promise<string>) => {
  const texts: string[] = []
  for (const state of states) {
    const { _id: entryId, milestoneId } = scene.entries[state]
    texts.push(await read({ projectId: scene.projectId, milestoneId, entryId }, state))
  }
  return texts.join('\n')
}

/** The path of what a reader opens in a browser, and the browser. */
function browsing(t: TestApp, scene: Scene, reader: Reader): Browser {
  if (reader.kind === 'link') return { home: reader.browser.home, get: reader.browser.get }
  const { headers } = reader.as
  const get: Browser['get'] = (url, more) => t.app.inject({ url, headers: { ...headers, ...more } })
  return { home: `/world/${scene.projectId}`, get }
}

/** Pages, in a browser. What has only a status shows the marker of its entry if that is 200. */
const page = (name: string, paths: (scene: Scene) => string[], audience: Audience = 'pages'): Way => ({
  name,
  audience,
  async read(t, scene, reader) {
    const { home, get } = browsing(t, scene, reader)
    const answers = []
    for (const path of paths(scene)) answers.push((await get(home + path)).body)
    return answers.join('\n')
  },
})

const byStatus = (
  name: string,
  audience: Audience,
  urlOf: (home: string, ref: OfEntry, scene: Scene, state: State) => string,
): Way => ({
  name,
  audience,
  read: (t, scene, reader) => {
    const { home, get } = browsing(t, scene, reader)
    return eachEntry(scene, async (ref, state) => {
      const { statusCode } = await get(urlOf(home, ref, scene, state), { accept: 'application/json' })
      return statusCode === 200 ? markerOf(state) : ''
    })
  },
})

/** Calls of the API. A reader by a link has no account, and sends their cookie. */
const api = (
  name: CallName,
  urls: (scene: Scene) => string[],
  more: Partial<Pick<Way, 'audience' | 'isPartial'>> = {},
): Way => ({
  name,
  audience: 'api',
  ...more,
  async read(t, scene, reader) {
    const answers = []
    for (const url of urls(scene)) answers.push((await browsing(t, scene, reader).get(url)).body)
    return answers.join('\n')
  },
})

const ofProject = (path: string) => (scene: Scene) => [`/api/projects/${scene.projectId}${path}`]
const ofMilestone = (path: string) => (scene: Scene) =>
  [...new Set(Object.values(scene.entries).map(({ milestoneId }) => milestoneId))].map(
    (id) => `/api/milestones/${id}${path}`,
  )
const ofEntries = (path: string) => (scene: Scene) =>
  Object.values(scene.entries).map(
    ({ _id, milestoneId }) => `/api/milestones/${milestoneId}/entries/${_id}${path}`,
  )
const inPublic = (path: string) => (scene: Scene) => [`/api/projects/world/${scene.projectId}${path}`]

/** A search answers with the words that were asked for, so the ids of the entries tell what it found. */
const search = (name: string, audience: Audience, urlOf: (home: string, q: string) => string): Way => ({
  name,
  audience,
  read: (t, scene, reader) => {
    const { home, get } = browsing(t, scene, reader)
    return eachEntry(scene, async ({ entryId }, state) => {
      const { body } = await get(urlOf(home, markerOf(state)))
      return body.includes(entryId) ? markerOf(state) : ''
    })
  },
})

/** Runs a tool for models, as a program of this account. */
const tool = async (t: TestApp, { headers }: Sender, name: CallName, args: object) => {
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  const types = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  return (await t.app.inject({ method: 'POST', url: '/mcp', headers: { ...headers, ...types }, payload }))
    .body
}

const hasAccount = (reader: Reader): reader is Extract<Reader, { kind: 'account' }> & { as: Person } =>
  reader.kind === 'account' && 'userId' in reader.as

const archive = (format: 'archive' | 'md' | 'epub' | 'site'): Way => ({
  name: `export as ${format}`,
  audience: 'members',
  async read(t, scene, reader) {
    if (!hasAccount(reader)) return ''
    return exportOf(t, reader.as, { scope: { project: scene.projectId }, format })
  },
})

/** Returns the files of an export as one text; an empty one if it is refused. */
async function exportOf(t: TestApp, as: Sender, body: NonNullable<Parameters<typeof exported>[2]>) {
  const { headers } = as
  const url = '/api/exports'
  const { statusCode } = await t.app.inject({ method: 'POST', url, headers, payload: body })
  return statusCode >= 400 ? '' : textOf((await exported(t, as, body)).bytes)
}

/** Returns the files of an archive, or the text of what is none. */
async function textOf(bytes: Buffer): Promise<string> {
  if (bytes.toString('latin1', 0, 2) !== 'PK') return bytes.toString()
  return [...(await unzipped(bytes))].map(([path, file]) => `${path}\n${file.toString()}`).join('\n')
}

/** Ways that repeat others, and take long. */
const longWays: Way[] = [
  {
    name: 'export of an entry',
    audience: 'accounts',
    read: async (t, scene, reader) =>
      hasAccount(reader)
        ? eachEntry(scene, ({ entryId }) =>
            exportOf(t, reader.as, { scope: { entry: entryId }, format: 'md' }),
          )
        : '',
  },
  {
    name: 'export of an account',
    audience: 'accounts',
    isPartial: true,
    hasTrash: true,
    read: async (t, _scene, reader) => (hasAccount(reader) ? exportOf(t, reader.as, {}) : ''),
  },
]

export const ways: Way[] = [
  {
    ...page('project page', () => ['', '?order=newest', ...states.map((state) => `?tag=${markerOf(state)}`)]),
    ofWhole: true,
  },
  page('entry page', ({ entries }) => Object.values(entries).map(({ _id }) => `/entries/${_id}`)),
  { ...page('story', () => ['/story', '/story/print']), ofWhole: true },
  page('feeds', () => ['/feed.atom', '/feed.rss', '/feed.json'], 'public pages'),
  {
    name: 'page and feeds of a person',
    audience: 'world',
    only: 'public',
    async read(t, scene, reader) {
      const { get } = browsing(t, scene, reader)
      const home = `/@ada-${scene.visibility}`
      const answers = []
      for (const path of ['', '/feed.atom', '/feed.rss', '/feed.json'])
        answers.push((await get(home + path)).body)
      return answers.join('\n')
    },
  },
  {
    name: 'readable address',
    audience: 'world',
    async read(t, scene, reader) {
      // The cookie of a link is sent below its own path alone.
      const get = (url: string) =>
        t.app.inject({ url, headers: reader.kind === 'link' ? {} : reader.as.headers })
      const address = `/world/${slugOf(scene.visibility)}`
      const answers = []
      for (const path of [
        '',
        '/story',
        ...Object.values(scene.entries).map(({ _id }) => `/entries/${_id}`),
      ]) {
        const { body, headers } = await get(address + path)
        answers.push(body, headers.location ? (await get(headers.location)).body : '')
      }
      return answers.join('\n')
    },
  },
  search('search page', 'public pages', (home, q) => `${home}/search?q=${q}`),
  byStatus('reactions', 'pages', (home, { entryId }) => `${home}/entries/${entryId}/reactions`),
  byStatus('share picture', 'public pages', (home, { entryId }) => `${home}/entries/${entryId}/share.png`),
  byStatus('media', 'pages', (home, _ref, scene, state) =>
    home === `/world/${scene.projectId}`
      ? `/api/media/${scene.entries[state].file}`
      : `${home}/media/${scene.entries[state].file}`,
  ),
  {
    name: 'media by the link of its reader',
    audience: 'accounts',
    read: (t, scene, reader) =>
      eachEntry(scene, async (_ref, state) => {
        if (!hasAccount(reader)) return ''
        const [fileId = '', variant = ''] = scene.entries[state].file.split('/')
        const url = t.deps.links.personal(fileId, variant as FileVariant, reader.as.userId)
        return (await t.app.inject({ url })).statusCode === 200 ? markerOf(state) : ''
      }),
  },
  {
    name: 'sitemap',
    audience: 'world',
    only: 'public',
    async read(t, scene) {
      const { body } = await t.app.inject({ url: '/sitemap-entries-1.xml' })
      return states
        .filter((state) => body.includes(scene.entries[state]._id))
        .map(markerOf)
        .join('\n')
    },
  },
  api('readWorld', inPublic(''), { audience: 'world' }),
  api('readWorldPage', inPublic('/page'), { audience: 'world' }),
  api('listWorldEntries', inPublic('/entries'), { audience: 'world' }),
  api(
    'readWorldEntry',
    (scene) => Object.values(scene.entries).flatMap(({ _id }) => inPublic(`/entries/${_id}`)(scene)),
    { audience: 'world' },
  ),
  api('readProject', ofProject(''), { isPartial: true }),
  api('listProjectEntries', ofProject('/entries')),
  api('readStory', ofProject('/story')),
  api('listTags', ofProject('/tags')),
  api('listMilestones', ofProject('/milestones'), { isPartial: true }),
  api('listFiles', ofProject('/files'), { isPartial: true }),
  api('listEntries', ofMilestone('/entries')),
  api('readEntry', ofEntries('')),
  byStatus(
    'readReactions',
    'api',
    (_home, { milestoneId, entryId }) => `/api/milestones/${milestoneId}/entries/${entryId}/reactions`,
  ),
  api('listProjects', () => ['/api/projects'], { audience: 'members', isPartial: true }),
  api('listMyCollaborations', () => ['/api/collaborators/my-collaborations'], {
    audience: 'members',
    isPartial: true,
  }),
  api(
    'listDay',
    ({ projectId }) => days().map((day) => `/api/calendar/day?day=${day}&project=${projectId}`),
    {
      audience: 'accounts',
    },
  ),
  byStatus('locateEntry', 'api', (_home, { entryId }) => `/api/entries/${entryId}`),
  api('listRevisions', ofEntries('/revisions'), { audience: 'members', isPartial: true }),
  api('listDrafts', () => ['/api/drafts'], { audience: 'members', isPartial: true }),
  api('listOnThisDay', () => days().map((day) => `/api/on-this-day?date=${day}`), {
    audience: 'members',
    isPartial: true,
  }),
  search('search', 'members', (_home, q) => `/api/search?q=${q}`),
  {
    name: 'MCP',
    audience: 'accounts',
    async read(t, scene, reader) {
      if (!hasAccount(reader)) return ''
      const program = await t.program(reader.as)
      const { projectId } = scene
      const list = await tool(t, program, 'listProjectEntries', { projectId })
      return list + (await eachEntry(scene, (ref) => tool(t, program, 'readEntry', ref)))
    },
  },
  {
    name: 'search through MCP',
    audience: 'members',
    async read(t, scene, reader) {
      if (!hasAccount(reader)) return ''
      const program = await t.program(reader.as)
      return eachEntry(scene, async ({ entryId }, state) => {
        const found = await tool(t, program, 'search', { q: markerOf(state) })
        return found.includes(entryId) ? markerOf(state) : ''
      })
    },
  },
  {
    name: 'listNotifications',
    audience: 'accounts',
    isPartial: true,
    async read(t, _scene, reader) {
      if (!hasAccount(reader)) return ''
      const pages = [1, 2].map((page) => `/api/notifications?page=${page}`)
      return (
        await Promise.all(pages.map(async (url) => (await browsing(t, _scene, reader).get(url)).body))
      ).join()
    },
  },
  {
    name: 'downloads of readers',
    audience: 'world',
    async read(t, { projectId, readers }, reader) {
      const texts = []
      const remoteAddress = `192.0.2.${readers.indexOf(reader) + 1}`
      for (const format of ['epub', 'site']) {
        const { statusCode, rawPayload } = await t.app.inject({
          remoteAddress,
          url: `/api/world/${projectId}/downloads/${format}`,
        })
        texts.push(statusCode === 200 ? await textOf(rawPayload) : '')
      }
      return texts.join('\n')
    },
  },
  archive('archive'),
  archive('md'),
  archive('epub'),
  archive('site'),
  ...(isLong ? longWays : []),
]

/** The days on which entries that were written now happened, in any time zone. */
const days = () =>
  [-1, 0, 1].map((more) =>
    new Date(Date.now() + more * 86_400_000).toISOString().slice(0, 'YYYY-MM-DD'.length),
  )
