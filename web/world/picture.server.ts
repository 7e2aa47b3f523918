import { createHash } from 'node:crypto'
import type { EntryPage } from './entry/entry-page.server.ts'
import { worldEntryPath, worldPath } from './paths.ts'
import type { ProjectPage } from './project/project-page.ts'

/** The address of the picture that stands beside a shared link to the project. */
export function projectPicture(request: Request, { project, milestones }: ProjectPage): string {
  const { _id, title, ownerName, progress } = project
  const trail = milestones.map(({ completed }) => completed)
  return pictureAddress(request, worldPath(_id), [title, ownerName, progress, trail])
}

/** The same, of an entry. */
export function entryPicture(
  request: Request,
  { project, milestone, entry }: Pick<EntryPage, 'project' | 'milestone' | 'entry'>,
): string {
  const facts = [entry.title, project.title, project.ownerName, milestone.title]
  return pictureAddress(request, worldEntryPath(project._id, entry._id), facts)
}

/**
 * Whoever shows links keeps a picture by its address, often for weeks. So the address changes with what the picture
 * shows; the server, which always paints what is true, does not look at the version.
 */
function pictureAddress(request: Request, path: string, facts: unknown[]): string {
  const version = createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 10)
  return new URL(`${path}/share.png?v=${version}`, request.url).href
}
