import type { Entry, EntryFields } from '#contract/entries.ts'

/** What the next save does to the image of an entry: puts a file in its place, takes it away, or nothing. */
export type ImageChange = File | 'remove' | null

/** An entry as its editor sends it. */
export type Written = EntryFields & { image?: File; removeImage?: true }

export function withImage(fields: EntryFields, change: ImageChange): Written {
  if (change === null) return fields
  return change === 'remove' ? { ...fields, removeImage: true } : { ...fields, image: change }
}

/** An entry as it is shown before the server has answered: a new image appears only once it is stored. */
export function shownAs(entry: Entry, { title, content, tags, removeImage }: Written): Entry {
  const { imageURL, image, ...rest } = entry
  return { ...rest, title, content, tags, ...(!removeImage && imageURL && { imageURL, image }) }
}
