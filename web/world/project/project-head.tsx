import { breadcrumbs, PublicHead } from '#web/head/public-head.tsx'
import { FeedLinks } from '#web/world/feed/feed-links.tsx'
import { worldPath } from '#web/world/paths.ts'
import type { ProjectPage } from './project-page.ts'

type ProjectHeadProps = {
  page: Pick<ProjectPage, 'project' | 'summary' | 'milestones'> & { canonical: string; pictureURL: string }
}

/** The document head of a public project. */
export function ProjectHead({ page }: ProjectHeadProps) {
  const { project, summary, milestones, canonical, pictureURL } = page
  const { _id, title, ownerName, createdAt } = project
  const url = new URL(worldPath(_id), canonical).href
  const completed = milestones.filter((milestone) => milestone.completed).length
  return (
    <>
      <PublicHead
        title={title}
        description={summary}
        isListed={project.isListed}
        canonical={canonical}
        picture={{
          url: pictureURL,
          alt: `${title}, by ${ownerName}: ${completed} of ${milestones.length} milestones completed`,
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
            image: pictureURL,
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
