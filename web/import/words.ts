import type { ImportCounts, ImportRecord, ImportSource, ImportState } from '#contract/imports.ts'
import { counted } from '#web/ui/layout/counted.ts'

/** What was found or created, as a phrase. */
export function countsOf({ projects, milestones, entries, files }: ImportCounts): string {
  const parts = [
    counted(projects, 'project'),
    counted(milestones, 'milestone'),
    counted(entries, 'entry', 'entries'),
    ...(files > 0 ? [counted(files, 'file')] : []),
  ]
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

export const SOURCE_NAMES: Record<ImportSource, string> = {
  milepost: 'an archive of Milepost',
  markdown: 'a folder of Markdown',
  notion: 'an export of Notion',
  dayone: 'an export of Day One',
  ghost: 'an export of Ghost',
  wordpress: 'an export of WordPress',
  memos: 'an export of Memos',
  journiv: 'an export of Journiv',
  keep: 'an export of Google Keep',
  feed: 'a feed',
  github: 'a list of releases on GitHub',
}

export const STATE_NAMES: Record<ImportState, string> = {
  uploading: 'Not sent completely',
  inspecting: 'Being inspected',
  planned: 'Ready to import',
  running: 'Being imported',
  paused: 'Paused',
  done: 'Imported',
  undoing: 'Being undone',
  undone: 'Undone',
  failed: 'Not imported',
}

/** How much of a running import is done, in percent. */
export function percentDone({ done, plan }: Pick<ImportRecord, 'done' | 'plan'>): number {
  const all = plan?.counts.entries ?? 0
  return all === 0 ? 0 : Math.min(99, Math.floor((done / all) * 100))
}
