import type { Converter } from './converting.ts'
import type { Source } from './items.ts'
import { convertMarkdown } from './markdown/convert.ts'
import { convertMilepost } from './milepost/convert.ts'

/** The converter of each source. */
export const converterOf: Record<Source, Converter> = {
  milepost: convertMilepost,
  markdown: convertMarkdown,
}
