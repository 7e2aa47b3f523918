import type { ImportReport } from '#contract/imports.ts'
import { addEntry, createWaiting, isFull } from './creating/entries.ts'
import { beginProgress, type Run, type RunDeps } from './creating/progress.ts'
import { addMilestone, addProject, setCovers } from './creating/projects.ts'
import { addVersion } from './creating/versions.ts'
import { readLines } from './lines.ts'

/** Creates what an archive holds, except what is there. It can be interrupted and run again. */
export async function runItems(deps: RunDeps, run: Run): Promise<ImportReport> {
  const progress = beginProgress(deps, run)
  for await (const item of readLines(run.lines)) {
    if (item.kind === 'version') addVersion(progress, item)
    else if (item.kind === 'project') await addProject(progress, item)
    else if (item.kind === 'milestone') await addMilestone(progress, item)
    else if (item.kind === 'file') progress.files.set(item.ref, item)
    else await addEntry(progress, item)
    if (isFull(progress)) await createWaiting(progress)
  }
  await createWaiting(progress)
  await setCovers(progress)
  const { made, here, leftOut, choiceOf, problems } = progress
  const projects = [...progress.projects.values()].map(({ id, item }) => ({
    _id: id,
    title: choiceOf.get(item.ref)?.title ?? item.title,
  }))
  return { made, here, leftOut, projects, problems: problems.list(), kept: [] }
}
