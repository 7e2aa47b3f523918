import type { ListedDraft } from '#contract/drafts.ts'
import { isBlank } from '#contract/parts/characters.ts'

/** The excerpt of a text that has nothing but pictures and files (`mediaText` in markdown/words.ts). */
const MEDIA = /^\d+ (?:picture|file)s?(?:, \d+ files?)?$/

/** Returns what a draft is called: its title, or the beginning of its text, or the number of its pictures. */
export function draftName({ title, excerpt }: Pick<ListedDraft, 'title' | 'excerpt'>): string {
  if (!isBlank(title)) return title.trim()
  if (isBlank(excerpt)) return 'Untitled'
  return MEDIA.test(excerpt) ? `Untitled, ${excerpt}` : excerpt
}
