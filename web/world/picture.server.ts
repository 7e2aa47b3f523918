import { createHash } from 'node:crypto'
import type { EntryPage } from './entry/entry-page.server.ts'
import { worldEntryPath, worldPath } from './paths.ts'
import type { ProjectPage } from './project/project-page.ts'

/** Returns the URL of a public project's share picture. */
export function projectPicture(request: Request, { project, milestones }: ProjectPage): string {
  const { _id, title, ownerName, progress } = project
  const trail = milestones.map(({ completed }) => completed)
  return pictureURL(request, worldPath(_id), [title, ownerName, progress, trail])
}

/** Returns the URL of a public entry's share picture. */
export function entryPicture(
  request: Request,
  { project, milestone, entry }: Pick<EntryPage, 'project' | 'milestone' | 'entry'>,
): string {
  const facts = [entry.title, project.title, project.ownerName, milestone.title]
  return pictureURL(request, worldEntryPath(project._id, entry._id), facts)
}

/**
 * Link previews cache a picture by its URL, often for weeks, so the URL changes with what the picture shows. The server
 * always renders the current state and ignores the version.
 */
function pictureURL(request: Request, path: string, facts: unknown[]): string {
  const version = createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 10)
  return new URL(`${path}/share.png?v=${version}`, request.url).href
}
