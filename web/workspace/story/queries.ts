import { queryOptions } from '@tanstack/react-query'
import type { CallInput } from '#contract/parts/call.ts'
import type { storyCalls } from '#contract/story.ts'
import { request } from '#web/api/client.ts'
import { entriesKey } from '#web/entries/keys.ts'
import { entryPath } from '#web/entries/paths.ts'
import type { StoryPaths } from '#web/public/story/story-paths.ts'

type Query = NonNullable<CallInput<(typeof storyCalls)['readStory']>['query']>

/** A part of a project's story. */
export const storyQuery = (projectId: string, query: Query) =>
  queryOptions({
    queryKey: [...entriesKey(projectId), 'story', query],
    queryFn: ({ signal }) => request('readStory', { params: { projectId }, query }, { signal }),
  })

/** Returns the path of the story for the members of a project. */
export const storyPath = (projectId: string, page = 1) => pageOf(`/projects/${projectId}/story`, page)

const pageOf = (path: string, page: number) => (page > 1 ? `${path}?page=${page}` : path)

/** Returns the paths of the story for the members of a project. */
export const memberStoryPaths = (projectId: string): StoryPaths => ({
  project: `/projects/${projectId}`,
  part: (page) => storyPath(projectId, page),
  print: (page) => pageOf(`${storyPath(projectId)}/print`, page),
  entry: (milestone, _id) => entryPath(projectId, { _id, milestone }),
})
