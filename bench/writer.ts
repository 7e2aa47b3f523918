import { type Person, signUp } from '#scripts/chaos/person.ts'
import { writeEntry } from '#scripts/demo/prose.ts'
import { seeded } from '#scripts/demo/random.ts'
import { subjects } from '#scripts/demo/subjects.ts'

/** Somebody who is signed in, with a project of one milestone that holds so many entries. */
export type Writer = {
  person: Person
  /** Of a request in their name. */
  headers: { authorization: string }
  projectId: string
  milestoneId: string
}

/** Makes a writer over HTTP; `person` is somebody who has an account already. */
export async function writer(origin: string, entries: number, person?: Person): Promise<Writer> {
  const known = person ?? (await signUp(origin))
  const project = await known.call('createProject', {
    body: { title: 'Cedar strip canoe', description: 'Built in winter', isPublic: false },
  })
  const params = { projectId: project._id }
  const milestone = await known.call('createMilestone', {
    params,
    body: { title: 'Hull', description: 'Strips, glue, patience', completed: false },
  })
  const place = { milestoneId: milestone._id }
  for (const body of someEntries(entries)) await known.call('createEntry', { params: place, body })
  return { person: known, headers: { authorization: `Bearer ${known.token}` }, ...params, ...place }
}

/** So many entries as somebody might write them, the same ones each time. */
export function someEntries(count: number) {
  const [subject] = subjects
  if (!subject) throw new Error('there is no subject to write about')
  const random = seeded(1)
  return Array.from({ length: count }, () => writeEntry(subject, random))
}
