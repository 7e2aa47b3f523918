import { publicEntryPath, publicPath, publicStoryPath, publicStoryPrintPath } from '#web/public/paths.ts'

/** Where the links of a story lead, which differs between its readers. */
export type StoryPaths = {
  project: string
  /** Of a part of the story. */
  part: (page: number) => string
  /** Of a document for paper. */
  print: (page: number) => string
  entry: (milestoneId: string, entryId: string) => string
}

/** Returns the paths of a public project, or of what a link shows. */
export const publicStoryPaths = (projectId: string): StoryPaths => ({
  project: publicPath(projectId),
  part: (page) => publicStoryPath(projectId, page),
  print: (page) => publicStoryPrintPath(projectId, page),
  entry: (_milestoneId, entryId) => publicEntryPath(projectId, entryId),
})
