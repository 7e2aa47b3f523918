import { useParams } from 'react-router'
import { STORY_ENTRIES_MAX } from '#contract/story.ts'
import { StoryPrint } from '#web/public/story/story-print.tsx'
import { memberStoryPaths } from './queries.ts'
import { StoryFrame } from './story-frame.tsx'

/** The story of a project for its members, for paper. */
export default function StoryPrintScreen() {
  const { projectId = '' } = useParams()
  return (
    <StoryFrame limit={STORY_ENTRIES_MAX} title={({ project }) => project.title}>
      {(story) => <StoryPrint story={story} paths={memberStoryPaths(projectId)} />}
    </StoryFrame>
  )
}
