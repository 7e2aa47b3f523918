import { useEffect, useLayoutEffect } from 'react'
import { useLocation, useParams } from 'react-router'
import { remember, rememberPlaces } from '#web/public/story/remember-places.ts'
import { StoryChapters } from '#web/public/story/story-chapters.tsx'
import { StoryHeader, StoryParts } from '#web/public/story/story-parts.tsx'
import { memberStoryPaths } from './queries.ts'
import { StoryFrame } from './story-frame.tsx'

/** The story of a project for its members, from the first entry on. */
export default function StoryScreen() {
  const { projectId = '' } = useParams()
  const paths = memberStoryPaths(projectId)
  return (
    <StoryFrame title={({ project }) => `The story of ${project.title}`}>
      {(story) => (
        <>
          <StoryHeader story={story} paths={paths} />
          <StoryChapters story={story} paths={paths} />
          <StoryParts story={story} paths={paths} />
          <Place key={story.pagination.currentPage} />
        </>
      )}
    </StoryFrame>
  )
}

/** Goes to the entry or chapter of the URL once it is shown, and remembers where somebody stops reading. */
function Place() {
  const { hash } = useLocation()

  useEffect(() => {
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [hash])

  // The story is still in the document when a layout effect ends.
  useLayoutEffect(() => {
    const left = new AbortController()
    const story = document.querySelector<HTMLElement>('[data-story]')
    rememberPlaces(left.signal)
    return () => {
      if (story) remember(story)
      left.abort()
    }
  }, [])

  return null
}
