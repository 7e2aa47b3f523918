import type * as openid from 'openid-client'
import { fetchUserInfo } from 'openid-client'
import { z } from 'zod'
import { isStorable } from '#contract/characters.ts'
import { email } from '#contract/identity.ts'

/** Somebody as an issuer vouches for them. */
export type Person = {
  issuer: string
  subject: string
  email: string
  emailVerified: boolean
  /** Empty where none is given. */
  name: string
  picture: string | null
}

const claims = z.object({
  iss: z.string(),
  sub: z.string().min(1).max(255).refine(isStorable),
  email: email.transform((address) => address.toLowerCase()),
  email_verified: z.boolean().catch(false),
  name: z.string().max(1000).refine(isStorable).catch(''),
  picture: z
    .url({ protocol: /^https$/ })
    .max(2000)
    .nullable()
    .catch(null),
})

/** Who a verified answer of the issuer speaks of; an issuer that keeps the address out of its ID tokens is asked for it. */
export async function personOf(
  configuration: openid.Configuration,
  tokens: { access_token: string; claims(): openid.IDToken | undefined },
): Promise<Person> {
  const token = tokens.claims()
  if (token === undefined) throw new Error('the issuer sent no ID token')
  const known =
    token.email === undefined
      ? { ...(await fetchUserInfo(configuration, tokens.access_token, token.sub)), ...token }
      : token
  const usable = claims.safeParse(known)
  if (!usable.success)
    throw new Error(`the issuer's word has no usable ${usable.error.issues[0]?.path.join('.')}`)
  const { iss, sub, email, email_verified, name, picture } = usable.data
  return { issuer: iss, subject: sub, email, emailVerified: email_verified, name, picture }
}
