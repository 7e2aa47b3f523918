import type { WorldEntry } from '#contract/world.ts'
import { minutesToRead } from '#web/public/reading-time.ts'

export type EntryPage = ReturnType<typeof entryPage>

/** Returns the data of a public entry's page: the entry as HTML and its neighbors. */
export function entryPage({ project, milestone, entry, previous, next, isAlone }: WorldEntry) {
  const { _id, title, tags, imageURL, image, createdAt, updatedAt, excerpt, wordCount, html } = entry
  const { happenedAt, happenedOn, happenedZone, publishedAt, author } = entry
  const minutes = minutesToRead(wordCount)
  return {
    project: {
      _id: project._id,
      title: project.title,
      ownerName: project.user.name,
      isListed: project.visibility === 'public',
      isShared: project.visibility === 'private',
      isAlone: isAlone === true,
      takesReactions: project.takesReactions,
      offersDownloads: project.offersDownloads,
    },
    milestone,
    entry: {
      _id,
      title,
      tags,
      imageURL,
      image,
      happenedAt,
      happenedOn,
      happenedZone,
      publishedAt: publishedAt ?? createdAt,
      updatedAt,
      authorName: author?.name ?? project.user.name,
      authorPicture: author?.pictureURL,
      excerpt,
      minutes,
    },
    html,
    previous,
    next,
  }
}
