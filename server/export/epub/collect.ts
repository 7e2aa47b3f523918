import { inSnapshot } from '#server/database/snapshot.ts'
import { requireExportable } from '#server/export/access.ts'
import type { Making } from '#server/export/making.ts'
import type { TemporaryFile } from '#server/export/temporary-file.ts'
import { listFiles } from '#server/files/archive/files.ts'
import { showFilesOfEntries } from '#server/files/uses.ts'
import { listMilestones } from '#server/milestones/service.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { findProject, findProjectOf, listChapters } from './store.ts'

const ENTRIES_AT_ONCE = 20

type Scope = { project: string } | { entry: string }

/** What a book is made of, one a line: a milestone, and then its entries with the pictures that they show. */
export type Line =
  | { kind: 'milestone'; title: string; description: string; from: string | null; until: string | null }
  | {
      kind: 'entry'
      id: string
      title: string
      on: string
      author: string | null
      html: string
      pictures: BookPicture[]
    }

/** A picture of which the largest variant up to 1,600 pixels wide is in the book. */
export type BookPicture = { id: string; attempt: number; widths: number[] }

export type BookFacts = {
  id: string
  title: string
  description: string
  author: string | null
  changedAt: Date
  cover: BookPicture | null
  /** The chapter of each entry, by its id. */
  chapters: Map<string, string>
}

/**
 * Writes the published entries of a project, or one entry, into a file, in the order of the story and from one snapshot. Nothing is in
 * it that another reader of the project does not see: no drafts, also not those of the caller.
 */
export function collectBook(
  { deps, caller, client }: Making,
  scope: Scope,
  lines: TemporaryFile,
): Promise<BookFacts> {
  return inSnapshot(deps.db, async (db) => {
    await requireExportable({ ...deps, db }, caller, scope)
    const only = 'entry' in scope ? scope.entry : null
    const projectId = 'entry' in scope ? await findProjectOf(db, scope.entry) : scope.project
    const project = projectId && (await findProject(db, projectId))
    if (!project) throw notFound(only ? 'Entry' : 'Project')
    const chapters = new Map<string, string>()
    const changes = [project.updated_at]
    let first: BookPicture | null = null
    for (const milestone of await listMilestones({ ...deps, db }, caller, project.id)) {
      const { _id: milestoneId, title, description, startsOn, dueOn } = milestone
      const until = milestone.reachedAt?.slice(0, 10) ?? dueOn
      const isShown = only === null
      if (isShown) {
        changes.push(new Date(milestone.updatedAt))
        await write(lines, { kind: 'milestone', title, description, from: startsOn, until })
      }
      for (let after: string | undefined; ; ) {
        const rows = await listChapters(db, { milestoneId, only, after, limit: ENTRIES_AT_ONCE })
        const ids = rows.map(({ id }) => id)
        const used = Map.groupBy(await listFiles(db, { entryIds: ids }), ({ user_id }) => user_id)
        const html = new Map<string, string>()
        for (const row of rows)
          html.set(row.id, row.html ?? (await deps.renderer.render(client, row.content)).html)
        const shown = await showFilesOfEntries({ db, links: inBook }, html, { reader: null, plain: true })
        for (const row of rows) {
          const pictures = (used.get(row.id) ?? [])
            .filter(({ kind }) => kind === 'image')
            .map(({ id, attempt, widths }) => ({ id, attempt, widths }))
          first ??= pictures[0] ?? null
          changes.push(row.updated_at)
          chapters.set(row.id, `entry-${chapters.size + 1}.xhtml`)
          const { id, title, happened_on: on, author_name: author } = row
          await write(lines, { kind: 'entry', id, title, on, author, html: shown.get(id) ?? '', pictures })
        }
        if (rows.length < ENTRIES_AT_ONCE) break
        after = rows.at(-1)?.id
      }
    }
    if (only && chapters.size === 0) throw notFound('Entry')
    const [chosen] = (await listFiles(db, { projectId: project.id })).filter(({ kind }) => kind === 'image')
    const { title, description, author } = project
    return {
      id: only ?? project.id,
      title,
      description,
      author,
      changedAt: new Date(Math.max(...changes.map(Number))),
      cover: chosen ? { id: chosen.id, attempt: chosen.attempt, widths: chosen.widths } : first,
      chapters,
    }
  })
}

/** Files are named by their ids, from which the book knows them. */
const nameInBook = (id: string) => `file:${id}`
const inBook = { open: nameInBook, personal: nameInBook }

const write = (lines: TemporaryFile, line: Line) => lines.write(`${JSON.stringify(line)}\n`)
