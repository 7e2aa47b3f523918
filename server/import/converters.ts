import type { Converter } from './converting/documents.ts'
import { convertDayOne } from './dayone/convert.ts'
import { convertFeeds } from './feed/convert.ts'
import { convertGhost } from './ghost/convert.ts'
import { convertReleases } from './github/convert.ts'
import type { Source } from './items.ts'
import { convertJourniv } from './journiv/convert.ts'
import { convertMarkdown } from './markdown/convert.ts'
import { convertMemos } from './memos/convert.ts'
import { convertMilepost } from './milepost/convert.ts'
import { convertNotion } from './notion/convert.ts'
import { convertWordPress } from './wordpress/convert.ts'

/** The converter of each source. */
export const converterOf: Record<Source, Converter> = {
  milepost: convertMilepost,
  markdown: convertMarkdown,
  notion: convertNotion,
  dayone: convertDayOne,
  ghost: convertGhost,
  wordpress: convertWordPress,
  memos: convertMemos,
  journiv: convertJourniv,
  feed: convertFeeds,
  github: convertReleases,
}
