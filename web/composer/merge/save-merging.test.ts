import { expect, test, vi } from 'vitest'
import type { Entry, EntryFields } from '#contract/entries.ts'
import { ApiError } from '#web/api/api-error.ts'
import { mergeEntry } from './merge-entry.ts'
import { mergeText } from './merge-text.ts'
import { MERGE_LIMIT_MS, runMerge, saveMerging } from './save-merging.ts'

const TEXT = { title: 'Rye', content: 'one\n\ntwo\n\nthree\n', tags: ['bread'] }
const entry = (change: Partial<Entry>, version: number) =>
  ({ ...TEXT, happenedOn: '2026-03-01', ...change, version }) as Entry
const stale = (current: Entry) => new ApiError(412, 'stale', 'This was changed in the meantime', { current })

/** A server on which each save meets the next of these versions. */
function server(...found: Entry[]) {
  const save = vi.fn<(fields: EntryFields & { merged?: true }, version: number) => Promise<Entry>>(
    async (fields, version) => {
      const current = found.shift()
      if (current) throw stale(current)
      return entry(fields, version + 1)
    },
  )
  return save
}

const mergeTexts = async ({ base, mine, theirs }: Parameters<typeof runMerge>[0]) =>
  mergeText(base, mine, theirs)

const from = { text: TEXT, version: 1, isKnown: true, isMerged: false }
const saving = (
  content: string,
  save: ReturnType<typeof server>,
  base = from,
  readBase = async (): Promise<typeof TEXT | null> => null,
) =>
  saveMerging({ ...TEXT, content }, { base, chosen: {}, original: entry({}, 1), save, mergeTexts, readBase })

test('changes that do not overlap are merged with the current version and saved', async () => {
  const save = server(entry({ content: 'one\n\ntwo\n\nthree, theirs\n', tags: ['bread', 'oven'] }, 2))
  const result = await saving('one, mine\n\ntwo\n\nthree\n', save)
  const merged = { title: 'Rye', content: 'one, mine\n\ntwo\n\nthree, theirs\n', tags: ['bread', 'oven'] }
  expect(save).toHaveBeenLastCalledWith({ ...merged, merged: true }, 2)
  expect(result).toMatchObject({ saved: merged, wasStale: true, text: merged })
})

test('a further save in between is merged as well', async () => {
  const save = server(
    entry({ content: 'one\n\ntwo\n\nthree, theirs\n' }, 2),
    entry({ content: 'one\n\ntwo, too\n\nthree, theirs\n' }, 3),
  )
  await saving('one, mine\n\ntwo\n\nthree\n', save)
  expect(save).toHaveBeenLastCalledWith(
    expect.objectContaining({ content: 'one, mine\n\ntwo, too\n\nthree, theirs\n', merged: true }),
    3,
  )
})

test('overlapping changes are not saved, and shown with both texts', async () => {
  const theirs = entry({ content: 'one, theirs\n\ntwo\n\nthree\n' }, 2)
  const save = server(theirs)
  const result = await saving('one, mine\n\ntwo\n\nthree\n', save)
  expect(save).toHaveBeenCalledOnce()
  expect(result).toMatchObject({
    base: from,
    conflict: {
      theirs,
      merge: { content: [{ mine: 'one, mine\n\n', theirs: 'one, theirs\n\n' }, { same: 'two\n\nthree\n' }] },
    },
  })
})

test('a draft of an earlier version is merged with that version as the base', async () => {
  const save = server(entry({ content: 'one\n\ntwo\n\nthree, theirs\n' }, 3))
  const base = { ...from, text: { ...TEXT, content: 'another' }, isKnown: false }
  await saving('one, mine\n\ntwo\n\nthree\n', save, base, async () => TEXT)
  const merged = expect.objectContaining({ content: 'one, mine\n\ntwo\n\nthree, theirs\n' })
  expect(save).toHaveBeenLastCalledWith(merged, 3)
})

test('without a known base every difference is a conflict', async () => {
  const save = server(entry({ content: 'one\n\ntwo\n' }, 3))
  const result = await saving('one\n\ntwo\n\nthree\n', save, { ...from, isKnown: false })
  expect(save).toHaveBeenCalledOnce()
  expect(result).toHaveProperty('conflict')
})

test('merging ends after some attempts if somebody else saves continuously', async () => {
  const texts = Array.from({ length: 20 }, (_, n) => entry({ content: `one\n\ntwo\n\nthree${n}\n` }, n + 2))
  const result = await saving('one, mine\n\ntwo\n\nthree\n', server(...texts))
  expect(result).toMatchObject({ conflict: { mine: { content: 'one, mine\n\ntwo\n\nthree4\n' } } })
})

test('another failure is returned with the text merged so far', async () => {
  const offline = new ApiError(0, 'unreachable', 'Offline')
  const save = server(entry({ content: 'one\n\ntwo\n\nthree, theirs\n' }, 2))
  save.mockImplementationOnce(async () => {
    throw stale(entry({ content: 'one\n\ntwo\n\nthree, theirs\n' }, 2))
  })
  save.mockImplementationOnce(async () => {
    throw offline
  })
  const result = await saving('one, mine\n\ntwo\n\nthree\n', save)
  expect(result).toMatchObject({
    error: offline,
    base: { version: 2, isMerged: true },
    text: { content: 'one, mine\n\ntwo\n\nthree, theirs\n' },
  })
})

test('tags are merged as a set, and a day or cover that both changed is a conflict', () => {
  const original = entry({ tags: ['a', 'b', 'c'] }, 1)
  const theirs = entry({ tags: ['c', 'b', 'new'], happenedOn: '2026-03-02', coverFile: 'y' }, 2)
  const texts = { base: { ...TEXT, tags: ['a', 'b', 'c'] }, mine: { ...TEXT, tags: ['a', 'c', 'mine'] } }
  const merged = (chosen: object) => mergeEntry({ ...texts, theirs, original, chosen }, [])
  expect(merged({})).toMatchObject({
    tags: ['c', 'new', 'mine'],
    day: { same: '2026-03-02' },
    coverFile: { same: 'y' },
  })
  expect(merged({ day: '2026-03-09', coverFile: null })).toMatchObject({
    day: { mine: '2026-03-09', theirs: '2026-03-02' },
    coverFile: { mine: '', theirs: 'y' },
  })
  expect(merged({ coverFile: 'x' }).coverFile).toEqual({ mine: 'x', theirs: 'y' })
})

/** A worker with this response, or none. */
class FakeWorker extends EventTarget {
  terminate = vi.fn<() => void>()
  postMessage = vi.fn<(texts: unknown) => void>()
  say(data: unknown) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

test('a text that takes too long to merge is a conflict, and its worker is terminated', async () => {
  vi.useFakeTimers()
  const worker = new FakeWorker()
  const merging = runMerge({ base: 'a', mine: 'b', theirs: 'c' }, () => worker as unknown as Worker)
  await vi.advanceTimersByTimeAsync(10 * MERGE_LIMIT_MS) // it is still being loaded
  worker.say('ready')
  expect(worker.postMessage).toHaveBeenCalledWith({ base: 'a', mine: 'b', theirs: 'c' })
  await vi.advanceTimersByTimeAsync(MERGE_LIMIT_MS)
  expect(await merging).toEqual([{ mine: 'b', theirs: 'c' }])
  expect(worker.terminate).toHaveBeenCalledOnce()
  vi.useRealTimers()
})

test('the text is a conflict if the worker cannot be loaded', async () => {
  const worker = new FakeWorker()
  const merging = runMerge({ base: 'a', mine: 'b', theirs: 'c' }, () => worker as unknown as Worker)
  worker.dispatchEvent(new Event('error', { cancelable: true }))
  expect(await merging).toEqual([{ mine: 'b', theirs: 'c' }])
})
