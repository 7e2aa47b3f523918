/** The number of characters from which on another sentence is too much. */
const ENOUGH = 60

// oxlint-disable-next-line no-restricted-properties -- runs on the server
const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** Returns the first sentence of an excerpt, or the first few if they are short. An excerpt that ends within them is returned whole. */
export function openingOf(excerpt: string): string {
  let opening = ''
  for (const { segment } of sentences.segment(excerpt)) {
    opening += segment
    if (opening.trimEnd().length >= ENOUGH) break
  }
  return opening.trimEnd()
}
