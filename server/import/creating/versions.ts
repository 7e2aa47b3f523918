import { changeProjects } from '#server/change-project.ts'
import { useFilesInVersions } from '#server/files/importing.ts'
import { type ImportedFacts, type ImportedVersion, importVersions } from '#server/history/importing.ts'
import type { VersionFacts, VersionItem } from '#server/import/items.ts'
import { refsOf, storeFilesOf, withTargets } from './files.ts'
import type { Progress } from './progress.ts'

/** How many versions, and characters of them, are stored at a time. */
const AT_ONCE = 20
const CHARACTERS_AT_ONCE = 1_000_000

/** Adds an earlier version of the entry that was created last. */
export async function addVersion(progress: Progress, item: VersionItem): Promise<void> {
  if (progress.latest?.ref !== item.entry) return
  progress.versions.push(item)
  const characters = progress.versions.reduce((sum, { content }) => sum + content.length, 0)
  if (progress.versions.length >= AT_ONCE || characters >= CHARACTERS_AT_ONCE) await storeVersions(progress)
}

/** Stores the versions that were added, with their files. Those that an interrupted run has stored are there already. */
export async function storeVersions(progress: Progress): Promise<void> {
  const { deps, caller, latest, versions } = progress
  if (!latest || versions.length === 0) return
  const { id: entryId, projectId } = latest
  progress.versions = []
  for (const version of versions) await storeFilesOf(progress, version, projectId)
  const rows = versions.map((version) => versionOf(progress, version))
  await changeProjects(deps, caller, 'content:edit', [{ projectId }], async (trx) => {
    const ids = await importVersions(trx, entryId, rows)
    const uses = versions.flatMap((version) =>
      usesOf(progress, version).map((use) => ({ ...use, revisionId: ids.get(version.version) ?? '' })),
    )
    await useFilesInVersions(
      trx,
      { projectId, uploaderId: caller.userId },
      uses.filter(({ revisionId }) => revisionId !== ''),
    )
  })
}

const usesOf = (progress: Progress, version: VersionItem) => [
  ...refsOf(progress, { content: version.content }).map((ref) => ({
    fileId: progress.targets.idOf(ref),
    as: 'text' as const,
  })),
  ...(version.cover ? [{ fileId: progress.targets.idOf(version.cover), as: 'cover' as const }] : []),
]

function versionOf(progress: Progress, item: VersionItem): ImportedVersion {
  const { targets, stored } = progress
  const { title, tags, isDraft, cover } = item
  return {
    ...factsOf(progress, item),
    title,
    content: withTargets(progress, item.content),
    tags,
    state: isDraft ? 'draft' : 'published',
    happened: { ...item.happened, at: new Date(item.happened.at) },
    coverFile: cover && stored.get(cover) === true ? targets.idOf(cover) : cover === null ? null : undefined,
  }
}

/** Authors of the name of the person are that person; others are nobody who is known here. */
export function factsOf({ ownName, caller }: Progress, facts: VersionFacts): ImportedFacts {
  const { firstVersion, version, name, cause, wordCount } = facts
  return {
    firstVersion,
    version,
    name,
    cause,
    wordCount,
    authors: facts.authors.map((author) => ({ id: author === ownName ? caller.userId : null, name: author })),
    begunAt: new Date(facts.begunAt),
    createdAt: new Date(facts.createdAt),
  }
}
