import type { Story } from '#contract/story.ts'
import { breadcrumbs, PublicHead } from '#web/head/public-head.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { AboutProject } from '#web/world/about-project.tsx'
import { BackToProject } from '#web/world/back-to-project.tsx'
import { FeedLinks } from '#web/world/feed/feed-links.tsx'
import { worldPath, worldStoryPath } from '#web/world/paths.ts'
import { SharedHead } from '#web/world/shared-head.tsx'
import { StoryChapters } from './story-chapters.tsx'
import { StoryHeader, StoryParts } from './story-parts.tsx'
import { worldStoryPaths } from './story-paths.ts'

/** A part of a project's story for visitors, in which each milestone is a chapter. It is read without scripts; one of them remembers where somebody stopped. */
export function StoryPage({ story, origin }: { story: Story; origin: string }) {
  const { project, pagination } = story
  const paths = worldStoryPaths(project._id)
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
  const part = (page: number) => new URL(worldStoryPath(_id, page), origin).href
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
            { name: title, url: new URL(worldPath(_id), origin).href },
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
