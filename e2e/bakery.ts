import type { Entry } from '#contract/entries.ts'
import type { Member } from './member.ts'

/** A project with one milestone and as many entries as given, oldest first. */
export async function bakery(
  me: Member,
  entries: { title: string; content?: string; tags?: string[] }[] = [],
) {
  const project = await me.call('createProject', {
    body: { title: 'A bakery', description: 'From the first loaf to the first customer', isPublic: false },
  })
  const milestone = await me.call('createMilestone', {
    params: { projectId: project._id },
    body: { title: 'The first loaf', description: 'Flour, water, salt and patience' },
  })
  const params = { milestoneId: milestone._id }
  const made: Entry[] = []
  for (const { title, content = 'Fed the starter.', tags = [] } of entries) {
    made.push(await me.call('createEntry', { params, body: { title, content, tags } }))
  }
  return {
    milestoneId: milestone._id,
    entries: made,
    listPath: `/projects/${project._id}?selected=${milestone._id}`,
    projectId: project._id,
    projectPath: `/projects/${project._id}`,
    entryPath: (index: number) =>
      `/projects/${project._id}/milestones/${milestone._id}/entries/${made[index]?._id}`,
  }
}

/** Entries named Loaf 1, Loaf 2 and so on; every third is tagged rye. */
export const loaves = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    title: `Loaf ${index + 1}`,
    content: index % 2 === 0 ? 'It ROSE.' : 'It did not.',
    tags: index % 3 === 0 ? ['rye'] : [],
  }))
