import type { Person } from './person.ts'

const FIELDS = { title: 'Under load', description: 'Written while things break' }

export type Story = { projectId: string; milestoneId: string }

/** Makes a project with one milestone. */
export async function makeStory(person: Person, isPublic = false): Promise<Story> {
  const { _id: projectId } = await person.call('createProject', { body: { ...FIELDS, isPublic } })
  const milestone = await person.call('createMilestone', {
    params: { projectId },
    body: { ...FIELDS, completed: false },
  })
  return { projectId, milestoneId: milestone._id }
}

/** The form of an entry, with an image or without. */
export function entryForm(image?: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData()
  form.set('title', 'Under load')
  form.set('content', 'One of many.')
  form.set('tags', '[]')
  if (image) form.set('image', new Blob([image], { type: 'image/png' }), 'image.png')
  return form
}

/** Writes an entry by a form; whatever is answered comes back. */
export function postForm(
  url: string,
  person: Person,
  { milestoneId }: Story,
  form: FormData,
): Promise<Response> {
  return fetch(`${url}/api/milestones/${milestoneId}/entries`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}` },
    body: form,
  })
}

/** How many entries a milestone has. */
export async function countEntries(person: Person, { milestoneId }: Story): Promise<number> {
  const answer = await person.send('listEntries', { params: { milestoneId }, query: {} })
  return ((await answer.json()) as unknown[]).length
}
