import type { RawBuilder } from 'kysely'
import { prepared } from '#server/database/prepared.ts'
import type { Db } from '#server/database/rows.ts'
import { shownByLink } from '#server/database/shown-by-link.ts'
import { shownToMembers } from '#server/database/shown-to-members.ts'

/**
 * A public project; with `linkId` a project as this share link shows it; with `forMembers` any project, of which whoever asks has
 * required the right to view it.
 */
export type ShownProject = { projectId: string; linkId?: string; forMembers?: boolean }

/** `within`: the parts of a `with` that shadow the views of what readers see; undefined for the public. */
type Statement<Values, Row> = (
  db: Db,
  values: Values & { projectId: string },
  within: RawBuilder<unknown> | undefined,
) => RawBuilder<Row>

/** Prepares a statement about a project for each kind of reader: the public, visitors of a link, and members. */
export function preparedForReaders<Values extends object, Row>(statement: Statement<Values, Row>) {
  type Shown = Values & { projectId: string }
  const toPublic = prepared((db, values: Shown) => ({
    compile: () => statement(db, values, undefined).compile(db),
  }))
  const byLink = prepared((db, values: Shown & { linkId: string }) => ({
    compile: () => statement(db, values, shownByLink(values.linkId)).compile(db),
  }))
  const toMembers = prepared((db, values: Shown) => ({
    compile: () => statement(db, values, shownToMembers(values.projectId)).compile(db),
  }))
  return (db: Db, { projectId, linkId, forMembers = false }: ShownProject, values: Values) => {
    if (linkId !== undefined) return byLink.first(db, { ...values, projectId, linkId })
    return (forMembers ? toMembers : toPublic).first(db, { ...values, projectId })
  }
}
