import type { Story } from '#contract/story.ts'
import { NoIndex, ScreenTitle } from '#web/head/screen-title.tsx'
import { BackToProject } from '#web/public/back-to-project.tsx'
import { Page } from '#web/ui/layout/page.tsx'
import { publicStoryPaths } from './story-paths.ts'
import { StoryPrint } from './story-print.tsx'

/** The story of a public project, or of what a link shows, for paper. */
export function StoryPrintPage({ story, origin }: { story: Story; origin: string }) {
  const { _id, title, visibility } = story.project
  const paths = publicStoryPaths(_id)
  const url = visibility === 'private' ? undefined : new URL(paths.project, origin).href
  return (
    <Page width="reading">
      <ScreenTitle>{title}</ScreenTitle>
      <NoIndex />
      {url !== undefined && <link rel="canonical" href={url} />}
      <BackToProject to={paths.project} title={title} />
      <StoryPrint story={story} paths={paths} {...(url !== undefined && { url })} />
    </Page>
  )
}
