import { breadcrumbs, imagesOf, PublicHead, type SharePicture } from '#web/head/public-head.tsx'
import { FeedLinks } from '#web/public/feed/feed-links.tsx'
import { publicPath } from '#web/public/paths.ts'
import { SharedHead } from '#web/public/shared-head.tsx'
import type { EntryPage } from './entry-page.ts'

type EntryHeadProps = {
  page: Pick<EntryPage, 'project' | 'milestone' | 'entry'> & {
    canonical: string
    picture: Omit<SharePicture, 'alt'>
  }
}

/** The document head of a public entry. */
export function EntryHead({ page }: EntryHeadProps) {
  const { project, milestone, entry, canonical, picture } = page
  const projectURL = new URL(publicPath(project._id), canonical).href
  const title = `${entry.title} · ${project.title}`
  if (project.isShared) return <SharedHead title={title} />
  const description = entry.excerpt || `An entry of ${project.title}, by ${entry.authorName}`
  const { happenedAt, publishedAt, updatedAt: modifiedAt, authorName: author, tags } = entry
  return (
    <>
      <PublicHead
        title={title}
        description={description}
        canonical={canonical}
        picture={{ ...picture, alt: `${title}, by ${project.ownerName}` }}
        article={{ publishedAt, modifiedAt, author, section: milestone.title, tags }}
        isListed={project.isListed}
        about={[
          {
            '@type': 'BlogPosting',
            mainEntityOfPage: canonical,
            url: canonical,
            headline: entry.title,
            description,
            datePublished: publishedAt,
            dateModified: modifiedAt,
            contentReferenceTime: happenedAt,
            author: { '@type': 'Person', name: author },
            keywords: tags,
            image: imagesOf(canonical, entry.imageURL, picture.url),
            isPartOf: { '@type': 'CreativeWork', '@id': projectURL, name: project.title },
          },
          breadcrumbs([
            { name: 'Milepost', url: new URL('/', canonical).href },
            { name: project.title, url: projectURL },
            { name: entry.title, url: canonical },
          ]),
        ]}
      />
      <FeedLinks projectId={project._id} title={project.title} canonical={canonical} />
    </>
  )
}
