import type { Created } from './columns.ts'

/** A readable address of a project, current or former. */
export type ProjectSlugRow = {
  slug: string
  project_id: string
  is_current: boolean
  created_at: Created
}

export type AddressTables = {
  project_slugs: ProjectSlugRow
}
