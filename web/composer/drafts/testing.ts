import { vi } from 'vitest'
import type { Draft } from '#contract/drafts.ts'
import { ApiError, unreachable } from '#web/api/api-error.ts'
import type { ServerCopy } from '#web/saving/drafts.ts'
import type { DraftStatus } from './draft-status.ts'
import { DraftSync, type SyncedText, type SyncStart } from './draft-sync.ts'

const AT = '2026-11-22T12:04:31.000Z'

/** A fake screen, browser storage and server, with one draft per id and failures that the test controls. */
export function world(start: Partial<SyncStart> = {}, content = '') {
  const screen: SyncedText = { title: '', content, tags: [] }
  const stored: string[] = []
  const copies: ServerCopy[] = []
  const server = new Map<string, { text: SyncedText; version: number }>()
  const discarded: string[] = []
  const others: Draft[] = []
  const statuses: DraftStatus[] = []
  let ids = 0
  const state = { isFull: false, fail: null as unknown, isLost: false, hold: null as Promise<void> | null }
  const send = vi.fn<(id: string, content: string, ifMatch: number | undefined) => void>()
  const sync = new DraftSync<SyncedText>(
    {
      read: () => ({ ...screen }),
      isDirty: () => screen.content !== '',
      storeLocally(copy) {
        if (!state.isFull) {
          stored.push(screen.content)
          copies.push(copy)
        }
        return !state.isFull
      },
      async send(id, text, { ifMatch }) {
        send(id, text.content, ifMatch)
        await state.hold
        if (state.fail) throw state.fail
        const current = server.get(id)
        if (!current && ifMatch !== undefined) throw new ApiError(404, 'not_found', 'Draft not found')
        if (current && current.version !== ifMatch)
          throw new ApiError(412, 'stale', 'Stale', { current: draftOf(id, current) })
        const version = (current?.version ?? 0) + 1
        server.set(id, { text, version })
        if (state.isLost) throw unreachable(new TypeError('reset'))
        return { _id: id, version, savedAt: AT }
      },
      discard: async (id) => void (discarded.push(id), server.delete(id)),
      newId: () => `new ${(ids += 1)}`,
      onStatus: (status) => void statuses.push(status),
      onOther: (theirs) => void others.push(theirs),
    },
    { id: 'first', isSaved: true, ...start },
  )
  sync.start()
  return {
    sync,
    screen,
    stored,
    copies,
    server,
    discarded,
    others,
    state,
    send,
    type(content: string) {
      screen.content = content
      sync.changed()
    },
    status: () => statuses.at(-1),
    held: (id = 'first') => server.get(id)?.text.content,
  }
}

const draftOf = (_id: string, { text, version }: { text: SyncedText; version: number }) =>
  ({ _id, ...text, version, savedAt: AT }) as Draft

export const saved = { kind: 'saved', at: AT }
export const offline = unreachable(new TypeError('offline'))
export const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
