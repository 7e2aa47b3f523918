import { worldEntryPath, worldPath, worldStoryPath, worldStoryPrintPath } from '#web/world/paths.ts'

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
export const worldStoryPaths = (projectId: string): StoryPaths => ({
  project: worldPath(projectId),
  part: (page) => worldStoryPath(projectId, page),
  print: (page) => worldStoryPrintPath(projectId, page),
  entry: (_milestoneId, entryId) => worldEntryPath(projectId, entryId),
})
