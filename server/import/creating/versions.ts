import { changeProjects } from '#server/change-project.ts'
import { useFilesInVersions } from '#server/files/importing.ts'
import { type ImportedFacts, type ImportedVersion, importVersions } from '#server/history/importing.ts'
import type { VersionFacts, VersionItem } from '#server/import/items.ts'
import { refsOf, storeFilesOf, withTargets } from './files.ts'
import type { Progress } from './progress.ts'

/** Adds an earlier version of the entry that came last to those that are stored next. */
export function addVersion({ latest, versions }: Progress, item: VersionItem): void {
  if (latest?.ref === item.entry) versions.push({ item, entryId: latest.id, projectId: latest.projectId })
}

/** Stores the versions that wait for it, with their files. Those that an interrupted run has stored are there already. */
export async function storeVersions(progress: Progress): Promise<void> {
  const { deps, caller, versions } = progress
  progress.versions = []
  for (const { item, projectId } of versions) await storeFilesOf(progress, item, projectId)
  for (const [projectId, inProject] of Map.groupBy(versions, (version) => version.projectId))
    await changeProjects(deps, caller, 'content:edit', [{ projectId }], async (trx) => {
      for (const [entryId, of] of Map.groupBy(inProject, (version) => version.entryId)) {
        const items = of.map(({ item }) => item)
        const ids = await importVersions(
          trx,
          entryId,
          items.map((item) => versionOf(progress, item)),
        )
        const uses = items.flatMap((item) =>
          usesOf(progress, item).map((use) => ({ ...use, revisionId: ids.get(item.version) ?? '' })),
        )
        const stored = uses.filter(({ revisionId }) => revisionId !== '')
        await useFilesInVersions(trx, { projectId, uploaderId: caller.userId }, stored)
      }
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
    coverFile: cover && stored.has(cover) ? targets.idOf(cover) : cover === null ? null : undefined,
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
