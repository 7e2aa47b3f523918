import type { Notification } from '#contract/notifications.ts'
import { listAccessTokens } from '#server/access-tokens/service.ts'
import { listSessions, readAccount } from '#server/account/service.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import { listDrafts, readDraft } from '#server/drafts/service.ts'
import { listNotifications } from '#server/notifications/service.ts'
import type { Caller } from '#server/platform/calls.ts'
import { type Incremental, writeJson } from '#server/platform/http/json-stream.ts'
import { type Add, createFiles, documentOf, type Item, withRelativeLinks } from './archive-files.ts'
import { collectProjects } from './collect-projects.ts'
import { createFolder, slugOf } from './names.ts'
import { listFiles } from './store.ts'
import type { TemporaryFile } from './temporary-file.ts'

/** Increased with incompatible changes of `milepost.json`. */
const FORMAT = 1
/** `json`: the content of `milepost.json`; `items`: the other files of the archive, one per line. */
export type ArchiveParts = { json: TemporaryFile; items: TemporaryFile }

/**
 * Writes all data of the caller into the parts, from one snapshot of the database: everything of their own projects, and
 * what they wrote in projects of others. For a program, only what its token may read.
 */
export function collectData(deps: AppDeps, caller: Caller, parts: ArchiveParts): Promise<void> {
  return inSnapshot(deps.db, async (db) => {
    const reading = { ...deps, db }
    const add = (item: Item) => parts.items.write(`${JSON.stringify(item)}\n`)
    const archive = {
      format: FORMAT,
      madeAt: deps.clock().toISOString(),
      ...(caller.grant ? {} : await collectAccount(reading, caller, add)),
      projects: collectProjects(reading, caller, add),
    }
    // Only the tests of this room check the shape of the file; the contract does not describe it.
    for await (const text of writeJson(archive as Incremental<object>)) await parts.json.write(text)
  })
}

/** Collects the person's data outside of projects, which programs do not get. */
async function collectAccount(deps: AppDeps, caller: Caller, add: Add) {
  return {
    account: await readAccount(deps, caller),
    sessions: await listSessions(deps, caller),
    accessTokens: await listAccessTokens(deps, caller),
    notifications: collectNotifications(deps, caller),
    unsavedDrafts: collectDrafts(deps, caller, add),
  }
}

/** Omits the links of invitations, because anybody with a link can join. */
async function* collectNotifications(deps: AppDeps, caller: Caller): AsyncGenerator<Notification> {
  for (let page = 1; ; page += 1) {
    const { notifications, pagination } = await listNotifications(deps, caller, { page, unreadOnly: false })
    for (const { data, ...notification } of notifications) {
      const { inviteToken: _, ...rest } = data
      yield { ...notification, data: rest }
    }
    if (!pagination.hasNext) return
  }
}

/** Collects the autosaved drafts. */
async function* collectDrafts(deps: AppDeps, caller: Caller, add: Add) {
  const { drafts } = await listDrafts(deps, caller, {})
  const files = createFiles('drafts/files', add)
  const name = createFolder()
  for (const { _id, savedAt: at } of drafts.toReversed()) {
    const draft = await readDraft(deps, caller, _id)
    const used = await files.added(await listFiles(deps.db, { draftIds: [_id] }))
    const path = `drafts/${name(`${slugOf(draft.title)}.md`)}`
    const { title, tags } = draft
    const links = new Map(used.map(({ _id, name }) => [_id, `files/${name}`]))
    await add({ path, at, text: documentOf({ title, tags }, withRelativeLinks(draft.content, links)) })
    yield { path, ...draft, files: used }
  }
}
