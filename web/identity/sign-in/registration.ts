import { z } from 'zod'
import { isCommonPassword } from '#contract/common-passwords.ts'
import { signUpFields } from '#contract/identity.ts'
import { characters } from '#contract/parts/characters.ts'
import { PASSWORD_MIN, signInTexts } from '#contract/sign-in.ts'

export const PASSWORDS_DIFFER = 'Passwords do not match'
/** Returns the password as the server compares it: the same letters may be composed differently by keyboards and managers. */
export const comparedPassword = (typed: string): string => typed.normalize('NFKC')

const TOO_SHORT = `Password must be at least ${PASSWORD_MIN} characters long`

const wanted = signUpFields.extend({
  password: z
    .string()
    .min(1, { message: signInTexts.passwordRequired, abort: true })
    .refine((password) => characters(password) >= PASSWORD_MIN, { message: TOO_SHORT, abort: true })
    .refine((password) => !isCommonPassword(password), { message: signInTexts.commonPassword, abort: true })
    .pipe(signUpFields.shape.password),
})

const typed = z.object({
  name: z.string(),
  email: z.string(),
  password: z.string(),
  confirmation: z.string(),
})

/** The schema of the registration form. Differing passwords are reported regardless of other errors. */
export const registration = typed.transform((fields, context) => {
  const { data, error } = wanted.safeParse(fields)
  if (comparedPassword(fields.password) !== comparedPassword(fields.confirmation))
    context.addIssue({ code: 'custom', path: ['confirmation'], message: PASSWORDS_DIFFER })
  for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message })
  return data ?? z.NEVER
})
