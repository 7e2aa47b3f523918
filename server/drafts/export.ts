import type { AppDeps } from '#server/deps.ts'
import {
  type Add,
  createFiles,
  documentOf,
  listFiles,
  withRelativeLinks,
} from '#server/files/archive/files.ts'
import { createFolder, slugOf } from '#server/files/archive/names.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { listDrafts, readDraft } from './service.ts'

/** Adds the autosaved drafts to the download of all data. */
export async function* exportDrafts(deps: AppDeps, caller: Caller, add: Add) {
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
