import type { Milestone } from '#contract/milestones.ts'
import type { Client } from './client.ts'
import { misused, refused } from './failure.ts'
import { pasteable } from './terminal.ts'

export type Named = { _id: string; title: string }

const SHARED_AT_ONCE = 100

/** Returns the caller's own projects, then those that others share with them. */
export async function listAllProjects(client: Client): Promise<(Named & { role: string })[]> {
  const own = await client.call('listProjects')
  const found: (Named & { role: string })[] = own.map(({ _id, title }) => ({ _id, title, role: 'owner' }))
  for (let page = 1; ; page += 1) {
    const { collaborations, pagination } = await client.call('listMyCollaborations', {
      page,
      limit: SHARED_AT_ONCE,
    })
    for (const { project, role } of collaborations)
      found.push({ _id: project._id, title: project.title, role })
    if (!pagination.hasNext) return found
  }
}

/** Returns the project with an id, a title, or the beginning of a title; without an argument, the only project. */
export async function findProject(client: Client, meant: string | undefined): Promise<Named> {
  const projects = await listAllProjects(client)
  if (meant !== undefined) return oneOf('project', projects, meant)
  const [only, ...others] = projects
  if (only && others.length === 0) return only
  throw misused('Say which project is meant: -p "its title".')
}

/** Returns the named milestone; without a name, the first that is not completed, or the last one. */
export async function findMilestone(
  client: Client,
  project: Named,
  meant: string | undefined,
): Promise<Milestone> {
  const milestones = await client.call('listMilestones', { projectId: project._id })
  if (meant !== undefined) return oneOf('milestone', milestones, meant)
  const found = milestones.find(({ completed }) => !completed) ?? milestones.at(-1)
  if (found) return found
  throw refused(
    `“${project.title}” has no milestone yet. Run: milepost create-milestone -p ${pasteable(project._id)} --title "The first one" --description "How it begins"`,
  )
}

function oneOf<T extends Named>(kind: string, all: T[], meant: string): T {
  const wanted = folded(meant)
  if (wanted === '') throw misused(`The name of the ${kind} is empty.`)
  const isSame = ({ _id, title }: T) => _id === meant || folded(title) === wanted
  const exact = all.filter(isSame)
  const found = exact.length > 0 ? exact : all.filter(({ title }) => folded(title).includes(wanted))
  const [first, ...others] = found
  if (!first) throw refused(`There is no ${kind} “${meant}”.`)
  if (others.length === 0) return first
  throw misused(
    `Several are meant by “${meant}”. Use an id: ${found.map(({ _id, title }) => `${_id} (“${title}”)`).join(', ')}.`,
  )
}

const folded = (text: string) => text.normalize('NFKC').toLowerCase().trim()
