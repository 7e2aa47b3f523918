import { z } from 'zod'
import { defineCalls } from './parts/call.ts'
import { ID_PATTERN } from './parts/list-options.ts'
import { fields, ids } from './parts/wire.ts'

export const SLUG_MIN = 3
export const SLUG_MAX = 60
/** The maximum number of slugs of a project, with the former ones. */
export const SLUGS_MAX = 20

/** Slugs that could pass for pages of the server, and names that could pass for its people. */
const RESERVED = new Set(
  'about account admin administrator anonymous api assets contact dashboard entries feed follow help imprint invite legal login media milepost moderator new official open owner privacy project projects register root search security settings share staff story support system team terms world'.split(
    ' ',
  ),
)

/** Whether a slug or a name in lower case is kept from everybody. */
export const isReserved = (text: string): boolean => RESERVED.has(text)

/**
 * The readable part of a project's address: in lower case, and of letters that look the same in no other script, so that nobody can
 * take an address that passes for another one.
 */
export const slug = z
  .string({ error: 'The address must be text' })
  .trim()
  .toLowerCase()
  .refine((text) => text.length >= SLUG_MIN && text.length <= SLUG_MAX, {
    error: `The address must have ${SLUG_MIN} to ${SLUG_MAX} characters`,
    abort: true,
  })
  .refine((text) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text), {
    error: 'The address may have letters from a to z, digits, and single hyphens between them',
    abort: true,
  })
  .refine((text) => !ID_PATTERN.test(text) && !isReserved(text), {
    error: 'This address cannot be used. Please choose another.',
  })

/** The readable address of a project, null without one, and those that it had before, which still lead to it. */
export const projectAddress = z.object({ slug: z.string().nullable(), former: z.array(z.string()) })
export type ProjectAddress = z.infer<typeof projectAddress>

const managed = { who: 'signed-in', scope: 'manage', needs: 'project:edit' } as const
const path = '/api/projects/:projectId/address'

export const addressCalls = defineCalls({
  readAddress: {
    ...managed,
    method: 'GET',
    path,
    summary: 'The readable address of the public page of a project',
    params: ids('projectId'),
    responses: { 200: projectAddress },
  },
  changeAddress: {
    ...managed,
    method: 'PUT',
    path,
    changesPublic: true,
    summary:
      'Give the public page of a project a readable address; the former one still leads to it, and null leaves only that',
    params: ids('projectId'),
    body: fields({ slug: slug.nullable() }),
    responses: { 200: projectAddress },
  },
})
