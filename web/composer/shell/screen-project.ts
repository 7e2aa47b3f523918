import { matchPath } from 'react-router'
import { ALL_ENTRIES } from '#web/entries/paths.ts'

/** The project on the screen and, if the screen shows one, its milestone or a public entry. */
export type ScreenProject = {
  projectId: string
  milestoneId?: string
  /** The entry of a public page, whose path does not contain the milestone. */
  entryId?: string
  /** Whether it is a public page, on which somebody else's project is nothing to write in. */
  isPublicPage: boolean
}

/** Returns the project that a screen shows; null on all other screens. */
export function screenProject(pathname: string, search: string): ScreenProject | null {
  const query = new URLSearchParams(search)
  const { projectId } = matchPath('/projects/:projectId/*', pathname)?.params ?? {}
  const entry = matchPath('/projects/:projectId/milestones/:milestoneId/entries/:entryId', pathname)?.params
  if (projectId) {
    const selected = entry?.milestoneId ?? query.get('selected') ?? query.get('milestone')
    return {
      projectId,
      ...(selected && selected !== ALL_ENTRIES && { milestoneId: selected }),
      isPublicPage: false,
    }
  }
  const world = matchPath('/world/:projectId/*', pathname)?.params
  if (!world?.projectId) return null
  const entryId = matchPath('/world/:projectId/entries/:entryId', pathname)?.params.entryId
  const shown = query.get('milestone')
  return {
    projectId: world.projectId,
    ...(shown && { milestoneId: shown }),
    ...(entryId && { entryId }),
    isPublicPage: true,
  }
}
