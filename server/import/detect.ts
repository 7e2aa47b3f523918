import type { Archive } from './archive.ts'
import type { Source } from './items.ts'

/** Recognizes where an archive comes from, by the files that it has. */
export async function detectSource({ items }: Archive): Promise<Source> {
  if (items.some(({ path }) => /^(?:[^/]+\/)?milepost\.json$/.test(path))) return 'milepost'
  return 'markdown'
}
