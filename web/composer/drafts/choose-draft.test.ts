import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Draft } from '#contract/drafts.ts'
import { digestOf, type ServerCopy } from '#web/saving/server-copy.ts'
import { chooseInitialDraft } from './choose-draft.ts'

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
const copy = (fields: Partial<ServerCopy> = {}): ServerCopy => ({ id: 'd', version: 3, ...fields })
const stored = (content: string, at = 0) => ({ text: text(content), at })

test('the text of another device is used if this browser has no unsent text', () => {
  const known = { id: 'd', version: 3, savedAt: '2026-11-22T12:04:31.000Z', isStored: true }
  const server = onServer('theirs')
  expect(chooseInitialDraft({ local: null, copy: null, server })).toEqual({ text: 'server', sync: known })
  const old = copy({ version: 2, saved: digestOf(text('mine')) })
  expect(chooseInitialDraft({ local: stored('mine'), copy: old, server })).toEqual({
    text: 'server',
    sync: known,
  })
})

test('changes since the last acknowledgement are kept', () => {
  const initialDraft = chooseInitialDraft({
    local: stored('mine, more'),
    copy: copy(),
    server: onServer('mine'),
  })
  expect(initialDraft).toEqual({ text: 'local', sync: { id: 'd', version: 3, isStored: false } })
})

test('of the text that was sent without a response and the stored text, the later one is used', () => {
  const unanswered = { version: 2, sent: digestOf(text('sent')), sentAt: 20 }
  const choose = (at: number) =>
    chooseInitialDraft({ local: stored('stored', at), copy: copy(unanswered), server: onServer('sent') })
  expect(choose(10).text).toBe('server')
  const { sent } = unanswered
  expect(choose(30)).toEqual({ text: 'local', sync: { id: 'd', version: 3, isStored: false, sent } })
})

test('a text that this browser stored before the last acknowledgement is not used', () => {
  const overtaken = copy({ saved: digestOf(text('mine, more')), heldAt: 20 })
  const choose = (server: Draft | null | undefined) =>
    chooseInitialDraft({ local: stored('mine', 10), copy: overtaken, server })
  expect(choose(onServer('mine, more')).text).toBe('server')
  expect(choose(onServer('theirs', 4)).text).toBe('server')
  expect(choose(null).text).toBe('none')
  expect(choose(undefined)).toEqual({ text: 'local', sync: { id: 'd', isStored: false } })
})

test('a browser that was killed before its record was on the disk uses the server’s text if that contains its own', () => {
  const choose = (local: string) =>
    chooseInitialDraft({
      local: stored(local),
      copy: copy({ version: 1 }),
      server: onServer('one, two, three'),
    })
  expect(choose('one, three').text).toBe('server')
  expect(choose('one, four').sync.isFork).toBe(true)
})

test('two unrelated texts are both shown, and neither is replaced', () => {
  const server = onServer('theirs')
  const initialDraft = chooseInitialDraft({ local: stored('mine'), copy: null, server })
  expect(initialDraft).toEqual({ text: 'local', sync: { isStored: false, isFork: true }, other: server })
})

test('a text that was saved or discarded elsewhere is removed, unless it has changed here', () => {
  const saved = copy({ saved: digestOf(text('mine')) })
  expect(chooseInitialDraft({ local: stored('mine'), copy: saved, server: null }).text).toBe('none')
  expect(chooseInitialDraft({ local: stored('mine, more'), copy: saved, server: null }).text).toBe('local')
  expect(chooseInitialDraft({ local: stored('mine'), copy: null, server: null }).text).toBe('local')
})

test('without the server the browser’s text replaces what was sent before it, and nothing that was sent later', () => {
  const sent = digestOf(text('sent'))
  const choose = (at: number) =>
    chooseInitialDraft({
      local: stored('stored', at),
      copy: copy({ sent, sentAt: 20, saved: digestOf(text('saved')) }),
      server: undefined,
    }).sync
  expect(choose(30)).toEqual({ id: 'd', version: 3, isStored: false, sent })
  expect(choose(10)).toEqual({ id: 'd', version: 3, isStored: false })
})

test('without the server the browser’s text is used', () => {
  const saved = copy({ saved: digestOf(text('mine')) })
  const choose = (content: string) =>
    chooseInitialDraft({ local: stored(content), copy: saved, server: undefined })
  expect(choose('mine')).toEqual({ text: 'local', sync: { id: 'd', version: 3, isStored: true } })
  expect(choose('more').sync.isStored).toBe(false)
})

test('no text is dropped unless it is stored elsewhere', () => {
  const some = fc.constantFrom('a', 'b', 'c', 'ac', 'abc')
  const known = fc.option(
    fc.record({
      id: fc.constantFrom('d', 'e'),
      version: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      saved: fc.option(some, { nil: undefined }),
      sent: fc.option(some, { nil: undefined }),
      sentAt: fc.nat(3),
      heldAt: fc.option(fc.nat(3), { nil: undefined }),
    }),
  )
  const keepsAll = fc.property(
    fc.option(some),
    fc.nat(3),
    known,
    fc.option(some),
    (local, at, about, there) => {
      const digest = (content: string | undefined) => content && digestOf(text(content))
      const adjusted = about && { ...about, saved: digest(about.saved), sent: digest(about.sent) }
      const server = there === null ? null : onServer(there)
      const mine = local === null ? null : stored(local, at)
      const initialDraft = chooseInitialDraft({ local: mine, copy: adjusted, server })
      const isLater = about?.sent === there && at <= about.sentAt
      const isOvertaken = at < (about?.heldAt ?? 0)
      const isPartOf = there !== null && [...(local ?? '')].every((letter) => there.includes(letter))
      const isMineHeld = isPartOf || local === null || about?.saved === local || isLater || isOvertaken
      const isTheirsShown = there === null || initialDraft.other?.content === there
      return initialDraft.text === 'local'
        ? isTheirsShown || initialDraft.sync.version !== undefined // written on top of it
        : isMineHeld
    },
  )
  expect(() => fc.assert(keepsAll)).not.toThrow()
})

test('a text that was saved or discarded elsewhere is removed, unless the outcome of creating its entry is unknown', () => {
  const known = { local: stored('mine'), copy: copy({ saved: digestOf(text('mine')) }), server: null }
  expect(chooseInitialDraft(known).text).toBe('none')
  expect(chooseInitialDraft({ ...known, isUnsettled: true })).toEqual({
    text: 'local',
    sync: { isStored: false },
  })
})
