import { type ArchiveItem, readText } from '#server/import/archive.ts'
import { isRecord, textIn } from '#server/import/converting/records.ts'
import { Refused } from '#server/import/items.ts'
import { splitFrontMatter } from './front-matter.ts'

/** What a bundle of text says of itself. */
export const INFO_OF_BUNDLE = /\.textbundle\/info\.json$/i
const INFO_MAX = 1_000_000

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

/**
 * Returns a function that divides a text into its front matter, with the dates of Bear if it has none, and the rest, and one that tells where the
 * text at a path was in Bear.
 */
export async function splitBear(infos: ArchiveItem[]) {
  const dates = new Map<string, { date?: string; updated?: string }>()
  const places = new Map<string, 'trash' | 'archive'>()
  for (const item of infos) {
    const bear = await bearIn(item)
    const date = bear && textIn(bear, 'creationDate')
    const updated = bear && textIn(bear, 'modificationDate')
    if (isTrue(bear?.trashed)) places.set(folderOf(item.path), 'trash')
    else if (isTrue(bear?.archived)) places.set(folderOf(item.path), 'archive')
    dates.set(folderOf(item.path), { ...(date && { date }), ...(updated && { updated }) })
  }
  return {
    split: (whole: string, { path }: { path: string }): ReturnType<typeof splitFrontMatter> => {
      const { matter, ...rest } = splitFrontMatter(whole)
      return { matter: { ...dates.get(folderOf(path)), ...matter }, ...rest }
    },
    placeOf: (path: string) => places.get(folderOf(path)),
  }
}

const isTrue = (value: unknown) => value === true || value === 1

/** A file that is none of Bear, or damaged, says nothing. */
async function bearIn(item: ArchiveItem) {
  try {
    const info: unknown = JSON.parse(await readText(item, INFO_MAX))
    const bear = isRecord(info) ? info['net.shinyfrog.bear'] : undefined
    return isRecord(bear) ? bear : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof Refused) return undefined
    throw error
  }
}
