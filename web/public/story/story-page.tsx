import type { Story } from '#contract/story.ts'
import { breadcrumbs, PublicHead } from '#web/head/public-head.tsx'
import { AboutProject } from '#web/public/about-project.tsx'
import { BackToProject } from '#web/public/back-to-project.tsx'
import { FeedLinks } from '#web/public/feed/feed-links.tsx'
import { publicPath, publicStoryPath } from '#web/public/paths.ts'
import { SharedHead } from '#web/public/shared-head.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { StoryChapters } from './story-chapters.tsx'
import { StoryHeader, StoryParts } from './story-parts.tsx'
import { publicStoryPaths } from './story-paths.ts'

/** A part of a project's story for visitors, in which each milestone is a chapter. It is read without scripts; one of them remembers where somebody stopped. */
export function StoryPage({ story, origin }: { story: Story; origin: string }) {
  const { project, pagination } = story
  const paths = publicStoryPaths(project._id)
  const isShared = project.visibility === 'private'
  return (
    <Page width="reading">
      {isShared ? <SharedHead title={titleOf(story)} /> : <StoryHead story={story} origin={origin} />}
      <BackToProject to={paths.project} title={project.title} />
      <StoryHeader story={story} paths={paths} />
      <StoryChapters story={story} paths={paths} />
      <StoryParts story={story} paths={paths} />
      {!isShared && !pagination.hasNext && <AboutProject project={project} />}
    </Page>
  )
}

const titleOf = ({ project, pagination: { currentPage } }: Story) =>
  currentPage > 1 ? `The story of ${project.title}, part ${currentPage}` : `The story of ${project.title}`

function StoryHead({ story, origin }: { story: Story; origin: string }) {
  const { project, pagination } = story
  const { _id, title, user } = project
  const { currentPage, hasPrev, hasNext } = pagination
  const part = (page: number) => new URL(publicStoryPath(_id, page), origin).href
  const canonical = part(currentPage)
  return (
    <>
      <PublicHead
        title={titleOf(story)}
        description={`The whole story of ${title}, by ${user.name}, from its first entry on.`}
        isListed={project.visibility === 'public'}
        canonical={canonical}
        about={[
          breadcrumbs([
            { name: 'Milepost', url: new URL('/', origin).href },
            { name: title, url: new URL(publicPath(_id), origin).href },
            { name: 'The story', url: canonical },
          ]),
        ]}
      />
      {hasPrev && <link rel="prev" href={part(currentPage - 1)} />}
      {hasNext && <link rel="next" href={part(currentPage + 1)} />}
      <FeedLinks projectId={_id} title={title} canonical={canonical} />
    </>
  )
}
