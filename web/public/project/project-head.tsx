import { breadcrumbs, imagesOf, PublicHead, type SharePicture } from '#web/head/public-head.tsx'
import { completionText } from '#web/projects/finished-summary.tsx'
import { FeedLinks } from '#web/public/feed/feed-links.tsx'
import { publicPath } from '#web/public/paths.ts'
import { SharedHead } from '#web/public/shared-head.tsx'
import type { ProjectPage } from './project-page.ts'

type ProjectHeadProps = {
  page: Pick<ProjectPage, 'project' | 'summary' | 'timeline'> & {
    canonical: string
    picture: Omit<SharePicture, 'alt'>
  }
}

/** The document head of a public project. */
export function ProjectHead({ page }: ProjectHeadProps) {
  const { project, summary, timeline, canonical, picture } = page
  const { _id, title, ownerName, createdAt } = project
  if (project.isShared) return <SharedHead title={title} />
  const url = new URL(publicPath(_id), canonical).href
  return (
    <>
      <PublicHead
        title={title}
        description={summary}
        isListed={project.isListed}
        canonical={canonical}
        picture={{
          ...picture,
          alt: `${title}, by ${ownerName}: ${completionText(timeline.completed, timeline.total)}`,
        }}
        about={[
          {
            '@type': 'CreativeWork',
            '@id': url,
            url,
            name: title,
            description: summary,
            dateCreated: createdAt,
            author: { '@type': 'Person', name: ownerName },
            image: imagesOf(canonical, project.imageURL, picture.url),
          },
          breadcrumbs([
            { name: 'Milepost', url: new URL('/', canonical).href },
            { name: title, url },
          ]),
        ]}
      />
      <FeedLinks projectId={_id} title={title} canonical={canonical} />
    </>
  )
}
