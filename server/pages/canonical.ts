import { id } from '#contract/parts/wire.ts'
import { profileName } from '#contract/profiles.ts'
import type { CachedParams } from '#contract/rendering.ts'

/** A page of a cached route, in its canonical form. */
export type CanonicalPage = {
  path: string
  /** The path and query under which the page is rendered and cached. */
  url: string
  /** The ids and names in the path, and the search parameters that differ from their defaults. */
  values: { [name: string]: string }
  /** Whether the requested URL was already canonical. */
  isCanonical: boolean
}

/** A route whose pages are cached, with the path parameters of a match. */
export type CachedMatch = {
  pattern: string
  params: { [name: string]: string | undefined }
  cachedParams: CachedParams
}

const anyId = id.toLowerCase()

/**
 * Returns the canonical form of a URL: ids and names in lower case, known search parameters in a fixed order and spelling, without
 * defaults. Unknown search parameters are ignored, because other sites add them to links. `malformed`: no such page can
 * exist. `bypass`: the page depends on a parameter by which it is not cached.
 */
export function canonicalPage(
  { pattern, params, cachedParams }: CachedMatch,
  { pathname, searchParams }: Pick<URL, 'pathname' | 'searchParams'>,
): CanonicalPage | 'malformed' | 'bypass' {
  const values: { [name: string]: string } = {}
  for (const [name, value] of Object.entries(params)) {
    const { data } = (name === 'profile' ? profileName : anyId).safeParse(value)
    if (data === undefined) return 'malformed'
    values[name] = data
  }
  const path = pattern.replaceAll(/:(\w+)/g, (_parameter, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  )
  if (searchParams.size === 0) return { path, url: path, values, isCanonical: pathname === path }
  const given = new URLSearchParams([...searchParams].filter(([name]) => Object.hasOwn(cachedParams, name)))
  const search = new URLSearchParams()
  for (const [name, canonical] of Object.entries(cachedParams)) {
    const value = given.get(name)
    if (value === null) continue
    if (canonical === 'bypass') return 'bypass'
    const kept = canonical(value)
    if (kept === undefined) continue
    search.set(name, kept)
    values[name] = kept
  }
  const query = search.toString()
  const url = query === '' ? path : `${path}?${query}`
  return { path, url, values, isCanonical: pathname === path && given.toString() === query }
}
