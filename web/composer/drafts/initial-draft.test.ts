import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NEW_ENTRY } from '#web/saving/drafts.ts'
import { digestOf } from './draft-sync.ts'
import { readEntryDraft, storeEntryDraft } from './entry-draft.ts'
import { keepStoredDraft, loadInitialDraft } from './initial-draft.ts'

const key = { form: NEW_ENTRY, personId: 'ada' }
const origin = { projectId: 'p', milestoneId: 'm', projectTitle: 'Canoe', milestoneTitle: 'Hull' }
const written = (content: string) => ({ text: { title: '', content, tags: [] }, choices: {}, origin })

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
    removeItem: (name: string) => void stored.delete(name),
  })
  vi.stubGlobal('navigator', { onLine: true })
})
afterEach(() => void vi.unstubAllGlobals())

test('a composer that is closed while it fetches a draft leaves what the next one has stored', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const send = vi.fn<() => Promise<Response>>(() => promise)
  vi.stubGlobal('fetch', send)
  const closed = new AbortController()
  const loading = loadInitialDraft({ key, origin, draftId: 'd' }, () => closed.signal.throwIfAborted()).catch(
    () => 'closed',
  )
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce())
  closed.abort()
  storeEntryDraft(key, written('typed in the next one'))
  resolve(Response.json({ code: 'not_found', message: 'No' }, { status: 404 }))
  expect(await loading).toBe('closed')
  expect(readEntryDraft(key)?.text.content).toBe('typed in the next one')
})

test('what is kept for another entry replaces its own older text on the server, unless that is of another device', async () => {
  const answers = [Response.json({})]
  const send = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(
    async () => answers.pop() ?? Response.error(),
  )
  vi.stubGlobal('fetch', send)
  const sent = () =>
    send.mock.calls.splice(0).map(([url, { headers, body }]) => ({
      id: url.split('/').at(-1),
      version: new Headers(headers).get('if-match'),
      ...JSON.parse(body as string),
    }))
  const draft = {
    ...written('two'),
    choices: { day: '2026-05-04' },
    copy: { id: 'd', version: 3, isSaved: false },
  }
  storeEntryDraft(key, draft)
  await keepStoredDraft(key)
  const happened = { happenedAt: '2026-05-04T12:00:00Z', happenedZone: 'UTC' }
  expect(sent()).toMatchObject([{ id: 'd', version: '"3"', content: 'two', milestone: 'm', ...happened }])
  expect(readEntryDraft(key)).toBeNull()

  answers.push(Response.json({}), Response.json({ code: 'stale', message: 'No' }, { status: 412 }))
  storeEntryDraft(key, draft)
  await keepStoredDraft(key)
  const [first, second] = sent()
  expect([first.id, second.version]).toEqual(['d', null])
  expect(second.id).not.toBe('d')
  const current = { _id: 'd', version: 4, ...written('one').text }
  const stale = Response.json({ code: 'stale', message: 'No', current }, { status: 412 })
  answers.push(Response.json({}), stale)
  storeEntryDraft(key, { ...draft, copy: { ...draft.copy, sent: [digestOf(current)] } })
  await keepStoredDraft(key)
  expect(sent().at(-1)).toMatchObject({ id: 'd', version: '"4"', content: 'two' })
})
