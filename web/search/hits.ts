import { FileText, Flag, Folder } from 'lucide-react'
import type { SearchHit } from '#contract/search.ts'
import { entryPath, milestonePath } from '#web/entries/paths.ts'

export const hitIcons = { project: Folder, milestone: Flag, entry: FileText }

/** The screen that shows a result. */
export function hitPath({ kind, _id, project, milestone }: SearchHit): string {
  if (kind === 'project') return `/projects/${_id}`
  if (kind === 'milestone') return milestonePath(project._id, _id)
  return entryPath(project._id, { _id, milestone: milestone?._id ?? '' })
}
