import type { Converter } from './converting/documents.ts'
import type { Source } from './items.ts'

/** Loads the converter of a source, alone: a process that takes files out of an archive needs none. */
export const converterOf: Record<Source, () => Promise<Converter>> = {
  milepost: async () => (await import('./milepost/convert.ts')).convertMilepost,
  markdown: async () => (await import('./markdown/convert.ts')).convertMarkdown,
  notion: async () => (await import('./notion/convert.ts')).convertNotion,
  dayone: async () => (await import('./dayone/convert.ts')).convertDayOne,
  ghost: async () => (await import('./ghost/convert.ts')).convertGhost,
  wordpress: async () => (await import('./wordpress/convert.ts')).convertWordPress,
  memos: async () => (await import('./memos/convert.ts')).convertMemos,
  journiv: async () => (await import('./journiv/convert.ts')).convertJourniv,
  keep: async () => (await import('./keep/convert.ts')).convertKeep,
  feed: async () => (await import('./feed/convert.ts')).convertFeeds,
  github: async () => (await import('./github/convert.ts')).convertReleases,
}
