import { z } from 'zod'
import { isReserved } from './addresses.ts'
import { defineCalls } from './parts/call.ts'
import { characters } from './parts/characters.ts'
import type { Pagination } from './parts/pagination.ts'
import { singleLine } from './parts/text.ts'
import { fields } from './parts/wire.ts'
import type { World, WorldEntries } from './world.ts'

export const PROFILE_NAME_MIN = 2
export const PROFILE_NAME_MAX = 40
/** The maximum number of names of an account, with the former ones. */
export const PROFILE_NAMES_MAX = 10
export const ABOUT_MAX = 200

/** The scripts that people write in today (https://www.unicode.org/reports/tr31/#Table_Recommended_Scripts), and those written together. */
const SCRIPTS = [
  ...'Arabic Armenian Bengali Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hebrew Kannada Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan'
    .split(' ')
    .map((script) => [script]),
  ['Han', 'Hiragana', 'Katakana'],
  ['Han', 'Hangul'],
  ['Han', 'Bopomofo'],
]

const ofOneScript = SCRIPTS.map((scripts) => {
  const letters = scripts.map((script) => `\\p{Script_Extensions=${script}}`).join('')
  return new RegExp(`^(?:[0-9-]|(?=[\\p{L}\\p{M}])[${letters}])+$`, 'u')
})

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u
/** Names of Cyrillic or Greek letters that all look like Latin ones. */
const LOOKS_LATIN = /^(?:[0-9асԁеһіјӏорԛѕԝхуҽпгѵѡ-]+|[0-9αγηικνορτυχω-]+)$/u

/**
 * The name of a person's page, after the `@`: in lower case, composed, and of the letters of one script, so that nobody can take a name
 * that passes for another one.
 */
export const profileName = z
  .string({ error: 'The name must be text' })
  .overwrite((text) => text.normalize('NFKC').toLowerCase().normalize('NFC').trim().replace(/^@/, ''))
  .refine((text) => characters(text) >= PROFILE_NAME_MIN && characters(text) <= PROFILE_NAME_MAX, {
    error: `The name must have ${PROFILE_NAME_MIN} to ${PROFILE_NAME_MAX} characters`,
    abort: true,
  })
  .refine((text) => /^[\p{L}\p{M}0-9]+(?:-[\p{L}\p{M}0-9]+)*$/u.test(text) && !INVISIBLE.test(text), {
    error: 'The name may have letters, digits, and single hyphens between them',
    abort: true,
  })
  .refine((text) => /^\p{L}/u.test(text), { error: 'The name must begin with a letter', abort: true })
  .refine((text) => ofOneScript.some((script) => script.test(text)) && !LOOKS_LATIN.test(text), {
    error: 'The letters of the name must be of one script, and not pass for those of another',
    abort: true,
  })
  .refine((text) => !isReserved(text), { error: 'This name cannot be used. Please choose another.' })

/** A person's own page: its name, null without one, and the former ones, which still lead to it; what it says of them; and whether it is on. */
export const profile = z.object({
  name: z.string().nullable(),
  former: z.array(z.string()),
  about: z.string(),
  isOn: z.boolean(),
})
export type Profile = z.infer<typeof profile>

/** A change of a person's page. Omitted fields are unchanged. */
export const profileChange = fields({
  name: profileName.optional(),
  about: z.union([z.literal(''), singleLine('The sentence', ABOUT_MAX)]).optional(),
  isOn: z.boolean({ error: 'isOn must be true or false' }).optional(),
})
export type ProfileChange = z.output<typeof profileChange>

/** The person of a public page. */
export type ShownProfile = { name: string; displayName: string; photoURL?: string; about: string }

export const PROFILE_PROJECTS_PER_PAGE = 24

/** A person's public page: their public and listed projects, those with the newest entries first. */
export type ProfilePage = { profile: ShownProfile; projects: World['project'][]; pagination: Pagination }

/** The newest entries of a person's public and listed projects, each with its project. */
export type ProfileEntries = {
  profile: ShownProfile
  changedAt: string
  entries: (WorldEntries['entries'][number] & { project: { _id: string; title: string } })[]
}

const managed = { who: 'signed-in', scope: 'manage', path: '/api/account/page', mcp: {} } as const

export const profileCalls = defineCalls({
  readProfile: {
    ...managed,
    method: 'GET',
    summary: 'My public page: its name, what it says of me, and whether it is on',
    responses: { 200: profile },
  },
  changeProfile: {
    ...managed,
    method: 'PUT',
    publishes: () => true,
    summary:
      'Change my public page, which lists my public projects at /@name; a former name still leads to it, and nobody else can take it',
    body: profileChange,
    responses: { 200: profile },
  },
})
