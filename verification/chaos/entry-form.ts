import type { Account } from '#testing/account.ts'

/** Returns the form that creates an entry, with or without an image. */
export function entryForm(image?: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData()
  form.set('title', 'Under load')
  form.set('content', 'One of many.')
  form.set('tags', '[]')
  if (image) form.set('image', new Blob([image], { type: 'image/png' }), 'image.png')
  return form
}

/** Creates an entry with a form and returns the response, whatever its status. */
export function postEntryForm(
  origin: string,
  { token }: Account,
  { milestoneId }: { milestoneId: string },
  form: FormData,
): Promise<Response> {
  return fetch(`${origin}/api/milestones/${milestoneId}/entries`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
}

/** Returns how many entries a milestone has. */
export async function countEntries(
  account: Account,
  { milestoneId }: { milestoneId: string },
): Promise<number> {
  const response = await account.send('listEntries', { params: { milestoneId }, query: {} })
  return ((await response.json()) as unknown[]).length
}
