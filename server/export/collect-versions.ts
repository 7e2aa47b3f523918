import type { AppDeps } from '#server/deps.ts'
import type { Add, createFiles } from '#server/files/archive/files.ts'
import { listFiles } from '#server/files/archive/files.ts'
import { presentCoverChoice } from '#server/files/present.ts'
import { type VersionRecord, versionsOf } from '#server/history/exporting.ts'

type Of = {
  entryId: string
  reader: string
  /** The folder of the texts of this entry's versions. */
  folder: string
  add: Add
  files: ReturnType<typeof createFiles>
  /** The ids of the files that the entry itself has in the archive. */
  shown: Iterable<string>
}

/** Collects the versions of an entry, oldest first, with the files that no other text of it uses. The text of the current one is that of the entry. */
export async function* collectVersions({ db }: Pick<AppDeps, 'db'>, of: Of) {
  const { entryId, reader, files } = of
  const listed = new Set(of.shown)
  for await (const rows of versionsOf(db, { entryId, reader })) {
    const used = Map.groupBy(
      await listFiles(db, { revisionIds: rows.map(({ id }) => id) }),
      ({ user_id }) => user_id,
    )
    for (const row of rows) {
      const shown = await files.added(used.get(row.id) ?? [])
      const own = shown.filter(({ _id }) => !listed.has(_id) && listed.add(_id))
      const path = `${of.folder}/${row.version}.md`
      if (!row.is_current) await of.add({ path, at: row.created_at.toISOString(), text: row.content })
      yield { ...presentVersion(row), ...(!row.is_current && { path }), files: own }
    }
  }
}

const presentVersion = (row: VersionRecord) => ({
  version: row.version,
  firstVersion: row.first_version,
  createdAt: row.created_at.toISOString(),
  begunAt: row.begun_at.toISOString(),
  authors: row.authors,
  name: row.name,
  cause: row.cause,
  state: row.state,
  title: row.title,
  tags: row.tags,
  wordCount: row.word_count,
  happenedAt: row.happened_at.toISOString(),
  happenedOn: row.happened_on,
  happenedZone: row.happened_zone,
  ...presentCoverChoice(row),
})
