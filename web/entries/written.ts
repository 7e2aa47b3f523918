import type { EntryFields } from '#contract/entries.ts'
import type { EntryToRead } from './queries.ts'

/** What the next save does to the image of an entry: puts a file in its place, takes it away, or nothing. */
export type ImageChange = File | 'remove' | null

/** An entry as its editor sends it. */
export type Written = EntryFields & { image?: File; removeImage?: true }

export function withImage(fields: EntryFields, change: ImageChange): Written {
  if (change === null) return fields
  return change === 'remove' ? { ...fields, removeImage: true } : { ...fields, image: change }
}

/** More than a card shows. */
const BEGINNING_LENGTH = 280

/** What a card shows of a text until the server has answered with its excerpt. */
export const beginningOf = (content: string) => content.slice(0, BEGINNING_LENGTH)

/**
 * An entry as it is shown before the server has answered: a new image appears only once it is stored, and changed
 * content has no HTML.
 */
export function shownAs(entry: EntryToRead, { title, content, tags, removeImage }: Written): EntryToRead {
  const { imageURL, image, ...rest } = entry
  return {
    ...rest,
    title,
    tags,
    ...(content !== entry.content && { content, excerpt: beginningOf(content), html: undefined }),
    ...(!removeImage && imageURL && { imageURL, image }),
  }
}
