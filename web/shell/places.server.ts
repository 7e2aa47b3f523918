/**
 * Where a page stands that is the same for everybody: its own address, and the public project that it shows. `missing`:
 * where there never is anything, and what is shown is the same as here if there is nothing.
 */
export type Place = { address: string; projectId?: string; missing?: string }

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const uuid = new RegExp(`^${UUID}$`)
/** Of no project and no entry. */
const NIL = '00000000-0000-0000-0000-000000000000'
const inWorld = new RegExp(`^/world/(${UUID})(/entries/${UUID})?(\\.data)?$`)

const feed = new RegExp(`^/world/(${UUID})/feed\\.(?:atom|rss|json)$`)

const fixed = new Set(['/', '/about', '/markdown-guide'])
const forms = new Set(['/login', '/register'])

/**
 * The place of an address whose page may be kept, under one name for all addresses that lead there; null for any other.
 * What is not named here reaches no kept page, so a query that a screen begins to read belongs here.
 */
export function placeOf({ pathname, search, searchParams }: URL): Place | null {
  if (fixed.has(pathname)) return { address: pathname }
  if (forms.has(pathname)) return search === '' ? { address: pathname } : null
  const [, followed] = feed.exec(pathname) ?? []
  if (followed !== undefined)
    return { address: pathname, projectId: followed, missing: pathname.replace(followed, NIL) }
  const [, projectId, entry, data] = inWorld.exec(pathname) ?? []
  if (projectId === undefined) return null
  const query = new URLSearchParams()
  const take = (name: string, pattern: RegExp) => {
    const value = searchParams.get(name)
    if (value !== null && pattern.test(value)) query.set(name, value)
  }
  if (!entry) {
    take('milestone', uuid)
    take('page', /^(?:[2-9]|[1-9]\d{1,5})$/)
  }
  // Of which screens React Router asks for the data.
  if (data) take('_routes', /^[\w/,-]{1,200}$/)
  const address = `${pathname}${query.size > 0 ? `?${query}` : ''}`
  // Data differ by what was asked for, also where there is nothing.
  if (data) return { address, projectId }
  return { address, projectId, missing: `/world/${NIL}${entry ? `/entries/${NIL}` : ''}` }
}
