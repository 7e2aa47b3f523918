import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Draft } from '#contract/drafts.ts'
import type { ServerCopy } from '#web/saving/drafts.ts'
import { chooseInitialDraft } from './choose-draft.ts'
import { digestOf } from './draft-sync.ts'

const text = (content: string) => ({ title: '', content, tags: [] })
const onServer = (content: string, version = 3): Draft => ({
  _id: 'd',
  ...text(content),
  entry: null,
  milestone: null,
  project: null,
  canEdit: true,
  target: null,
  baseVersion: null,
  happenedOn: null,
  coverFile: null,
  version,
  savedAt: '2026-11-22T12:04:31.000Z',
})
const stored = (content: string, copy?: Partial<ServerCopy>) => ({
  text: text(content),
  copy: copy && { id: 'd', version: 3, isSaved: false, ...copy },
})

test('the text of another device is used if this browser has no unsent text', () => {
  const known = { id: 'd', version: 3, savedAt: '2026-11-22T12:04:31.000Z', isSaved: true }
  const server = onServer('theirs')
  expect(chooseInitialDraft({ local: null, server })).toEqual({ text: 'server', sync: known })
  const local = stored('mine', { version: 2, isSaved: true })
  expect(chooseInitialDraft({ local, server })).toEqual({ text: 'server', sync: known })
})

test('changes since the last acknowledgement are kept', () => {
  const initialDraft = chooseInitialDraft({ local: stored('mine, more', {}), server: onServer('mine') })
  expect(initialDraft).toEqual({ text: 'local', sync: { id: 'd', version: 3, isSaved: false, sent: [] } })
})

test('what was typed after a text that was sent without a response replaces it', () => {
  const sent = [digestOf(text('sent')), digestOf(text('sent later'))]
  const local = stored('typed', { version: 2, sent })
  expect(chooseInitialDraft({ local, server: onServer('sent') })).toEqual({
    text: 'local',
    sync: { id: 'd', version: 3, isSaved: false, sent },
  })
})

test('a browser that was killed before its record was on the disk uses the server’s text if that contains its own', () => {
  const choose = (local: string) =>
    chooseInitialDraft({ local: stored(local, { version: 1 }), server: onServer('one, two, three') })
  expect(choose('one, three').text).toBe('server')
  expect(choose('one, four').sync.isFork).toBe(true)
})

test('two unrelated texts are both shown, and neither is replaced', () => {
  const server = onServer('theirs')
  const initialDraft = chooseInitialDraft({ local: stored('mine'), server })
  expect(initialDraft).toEqual({ text: 'local', sync: { isSaved: false, isFork: true }, other: server })
})

test('a text that was saved or discarded elsewhere is removed, unless it has changed here', () => {
  const choose = (copy?: Partial<ServerCopy>) =>
    chooseInitialDraft({ local: stored('mine', copy), server: null }).text
  expect(choose({ isSaved: true })).toBe('none')
  expect(choose({ isSaved: false })).toBe('local')
  expect(choose()).toBe('local')
})

test('without the server the browser’s text is used, as what was sent from it', () => {
  const copy = { id: 'd', version: 3, isSaved: false, sent: [digestOf(text('sent'))] }
  const choose = (known: ServerCopy) =>
    chooseInitialDraft({ local: stored('mine', known), server: undefined })
  expect(choose(copy)).toEqual({ text: 'local', sync: copy })
  expect(choose({ ...copy, isSaved: true }).sync.isSaved).toBe(true)
  expect(chooseInitialDraft({ local: stored('mine'), server: undefined }).sync).toEqual({ isSaved: false })
})

test('no text is dropped unless it is stored elsewhere', () => {
  const some = fc.constantFrom('a', 'b', 'c', 'ac', 'abc')
  const known = fc.option(
    fc.record({
      id: fc.constantFrom('d', 'e'),
      version: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      isSaved: fc.boolean(),
      sent: fc.array(some),
    }),
    { nil: undefined },
  )
  const keepsAll = fc.property(fc.option(some), known, fc.option(some), (local, about, there) => {
    const copy = about && { ...about, sent: about.sent.map((content) => digestOf(text(content))) }
    const server = there === null ? null : onServer(there)
    const mine = local === null ? null : stored(local, copy)
    const initialDraft = chooseInitialDraft({ local: mine, server })
    const isPartOf = there !== null && [...(local ?? '')].every((letter) => there.includes(letter))
    const isMineHeld = isPartOf || local === null || about?.isSaved
    const isTheirsShown = there === null || initialDraft.other?.content === there
    return initialDraft.text === 'local'
      ? isTheirsShown || initialDraft.sync.version !== undefined // written on top of it
      : isMineHeld
  })
  expect(() => fc.assert(keepsAll)).not.toThrow()
})

test('a text that was saved elsewhere stays while the outcome of creating its entry is unknown', () => {
  const known = { local: stored('mine', { isSaved: true }), server: null, isUnsettled: true }
  expect(chooseInitialDraft(known)).toEqual({ text: 'local', sync: { isSaved: false } })
})
