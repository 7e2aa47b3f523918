import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router'
import { type Place, placeOf } from './places.server.ts'

/** Stands for all addresses that are no screen's; what is shown there does not depend on the address. */
const NOWHERE = '/nowhere'

/** Makes what tells the place of any address in this build: those of `placeOf`, and the one of all that lead nowhere. */
export function placesOf(build: Pick<ServerBuild, 'routes'>): (url: URL) => Place | null {
  const tree = treeOf(Object.values(build.routes).filter((route) => route !== undefined))
  const leadsNowhere = ({ pathname }: URL) =>
    !pathname.endsWith('.data') && matchRoutes(tree, pathname)?.at(-1)?.route.path === '*'
  return (url) => placeOf(url) ?? (leadsNowhere(url) ? { address: NOWHERE, missing: NOWHERE } : null)
}

type ListedRoute = NonNullable<ServerBuild['routes'][string]>

function treeOf(routes: ListedRoute[], parent?: string): RouteObject[] {
  return routes
    .filter(({ parentId }) => parentId === parent)
    .map(({ id, path, index }) => (index ? { id, path, index } : { id, path, children: treeOf(routes, id) }))
}
