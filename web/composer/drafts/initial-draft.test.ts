import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NEW_ENTRY } from '#web/saving/drafts.ts'
import { readEntryDraft, storeEntryDraft } from './entry-draft.ts'
import { loadInitialDraft } from './initial-draft.ts'

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
  const loading = loadInitialDraft({ key, origin, draftId: 'd' }, closed.signal).catch(() => 'closed')
  await vi.waitFor(() => expect(send).toHaveBeenCalledOnce())
  closed.abort()
  storeEntryDraft(key, written('typed in the next one'))
  resolve(Response.json({ code: 'not_found', message: 'No' }, { status: 404 }))
  expect(await loading).toBe('closed')
  expect(readEntryDraft(key)?.text.content).toBe('typed in the next one')
})
