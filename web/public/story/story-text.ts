/** The headings of a text in a story are below those of the project, the chapter and the entry. */
const LEVELS_BELOW = 2

/**
 * Returns rendered HTML for a story: its headings two levels lower, and its footnotes without the name that all would share. To be
 * printed, its pictures are loaded at once.
 */
export function textInStory(html: string, { isPrinted }: { isPrinted: boolean }): string {
  const told = html
    .replace(
      /(<\/?h)([2-6])(?=[ >])/g,
      (_heading, start: string, level: string) => start + Math.min(6, Number(level) + LEVELS_BELOW),
    )
    .replaceAll('<section class="footnotes" aria-label="Footnotes">', '<section class="footnotes">')
  return isPrinted ? told.replaceAll(' loading="lazy"', '') : told
}
