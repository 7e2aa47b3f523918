type Blocks = {
  /** The mark at the beginning of a block, global. */
  open: RegExp
  /** Returns the mark at its end. */
  close: (opened: RegExpMatchArray) => string
  replace: (content: string, opened: RegExpMatchArray) => string
}

/** Replaces what is between two marks, in one pass however many beginnings have no end. */
export function replaceBlocks(text: string, { open, close, replace }: Blocks): string {
  const parts: string[] = []
  let at = 0
  const endless = new Set<string>()
  for (const opened of text.matchAll(open)) {
    const mark = close(opened)
    if (opened.index < at || endless.has(mark)) continue
    const begin = opened.index + opened[0].length
    const end = text.indexOf(mark, begin)
    if (end < 0) endless.add(mark)
    else {
      parts.push(text.slice(at, opened.index), replace(text.slice(begin, end), opened))
      at = end + mark.length
    }
  }
  return parts.join('') + text.slice(at)
}
