import { createHash } from 'node:crypto'
import type { SharePicture } from '#web/head/public-head.tsx'
import type { EntryPage } from './entry/entry-page.ts'
import { publicEntryPath, publicPath } from './paths.ts'
import type { ProjectPage } from './project/project-page.ts'

type Picture = Omit<SharePicture, 'alt'>

/** Returns a public project's share picture. */
export function projectPicture(origin: string, { project, milestones }: ProjectPage): Picture {
  const { _id, title, ownerName, progress, imageURL } = project
  const trail = milestones.map(({ completed }) => completed)
  return pictureAt(origin, publicPath(_id), [title, ownerName, progress, trail], imageURL)
}

/** Returns a public entry's share picture. */
export function entryPicture(
  origin: string,
  { project, milestone, entry }: Pick<EntryPage, 'project' | 'milestone' | 'entry'>,
): Picture {
  const facts = [entry.title, project.title, project.ownerName, milestone.title]
  return pictureAt(origin, publicEntryPath(project._id, entry._id), facts, entry.imageURL)
}

/**
 * Returns a picture's URL with a version. Link previews cache a picture by its URL, often for weeks, so the URL changes with the
 * content of the picture. The server always renders the current state and ignores the version.
 */
function pictureAt(origin: string, path: string, facts: unknown[], cover: string | undefined): Picture {
  const shown = JSON.stringify(cover === undefined ? facts : [...facts, cover])
  const version = createHash('sha256').update(shown).digest('base64url').slice(0, 10)
  const type = cover === undefined ? 'png' : 'jpeg'
  const name = type === 'png' ? 'share.png' : 'share.jpg'
  return { url: new URL(`${path}/${name}?v=${version}`, origin).href, type: `image/${type}` }
}
