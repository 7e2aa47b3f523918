import { withoutPunctuation } from '#contract/parts/paths.ts'

const ID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi

/** Returns the path and query of a screen as links of ours have them: ids in lower case, and without what was copied along. */
export function tidyAddress({ pathname, search }: { pathname: string; search: string }): string {
  // A tag may end in any sign.
  const path = pathname.includes('/tags/') ? pathname : withoutPunctuation(pathname) || '/'
  return (path + search).replace(ID, (id) => id.toLowerCase())
}
