import type { IDToken, UserInfoResponse } from 'openid-client'
import { z } from 'zod'
import { email } from '#contract/email.ts'
import { isStorable } from '#contract/parts/characters.ts'
import type { Tokens } from './issuer.ts'

/** A person as the issuer describes them. */
export type Person = {
  issuer: string
  subject: string
  email: string
  emailVerified: boolean
  /** Empty if the issuer sends none. */
  name: string
  picture: string | null
  /** When the issuer authenticated the person, if it says so. */
  authenticatedAt: Date | null
}

/** Thrown if the issuer describes a person without a usable email address. */
export class NoAddress extends Error {
  override name = 'NoAddress'
}

const text = z.string().trim().max(1000).refine(isStorable).catch('')

const claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255).refine(isStorable),
  name: text,
  given_name: text,
  family_name: text,
  nickname: text,
  picture: z
    .url({ protocol: /^https$/ })
    .max(2000)
    .nullable()
    .catch(null),
  auth_time: z.number().nullable().catch(null),
})

const address = email.transform((typed) => typed.toLowerCase())

/**
 * Returns the person of verified tokens. Asks the issuer's user info endpoint for what its ID token lacks; if that fails, what
 * the token says has to do. `onUserInfoFailure` gets the reason, for the log.
 */
export async function personOf(
  { claims: given, userInfo }: Tokens,
  onUserInfoFailure: (error: unknown) => void = () => undefined,
): Promise<Person> {
  const token = withoutEmpty(given)
  const isComplete = ['email', 'email_verified', 'name'].every((claim) => claim in token)
  const info = isComplete
    ? {}
    : await userInfo().then(withoutEmpty, (error: unknown) => {
        onUserInfoFailure(error)
        return {}
      })
  const parsed = claims.safeParse({ ...info, ...token })
  if (!parsed.success)
    throw new Error(`the issuer's claims have no usable ${parsed.error.issues[0]?.path.join('.')}`)
  const { iss, sub, picture, name, given_name, family_name, nickname, auth_time } = parsed.data
  return {
    issuer: iss,
    subject: sub,
    ...addressOf(token, info),
    name: name || [given_name, family_name].filter(Boolean).join(' ') || nickname,
    picture,
    authenticatedAt: auth_time === null ? null : new Date(auth_time * 1000),
  }
}

/** Returns the claims that say something: some issuers send null or an empty text for what they do not know, or tell elsewhere. */
function withoutEmpty<Claims extends object>(claims: Claims): Claims {
  return Object.fromEntries(
    Object.entries(claims).filter(([, value]) => value !== null && value !== ''),
  ) as Claims
}

/** Returns the email, and whether the issuer vouches for this very address. */
function addressOf(token: IDToken, info: Partial<UserInfoResponse>) {
  const stated = token.email ?? info.email
  const parsed = address.safeParse(stated)
  if (!parsed.success)
    throw new NoAddress(stated === undefined ? 'the issuer sends no email' : 'the email is no address')
  const isSameAddress = address.safeParse(info.email).data === parsed.data
  const verified = token.email_verified ?? (isSameAddress ? info.email_verified : undefined)
  return { email: parsed.data, emailVerified: isTrue(verified) }
}

/** Some issuers send booleans as text. */
const isTrue = (claim: unknown): boolean => String(claim).trim().toLowerCase() === 'true'
