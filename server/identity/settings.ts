import { z } from 'zod'
import { type FirebaseOptions, registrationMode } from '#contract/identity.ts'
import { CannotStart } from '#server/cannot-start.ts'

/** An OpenID Connect issuer, and this server's client credentials at it. */
export type IssuerSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  /** What people call it: Google, or the operator's word, or else its host. */
  name: string
}

/** The issuer of Google's accounts. */
export const GOOGLE = 'https://accounts.google.com'
const NAME_MAX = 60
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The environment variables of sign-in with Google or another issuer. */
export const issuerVariables = {
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, 'must be an address like https://accounts.example.org, http only on this machine')
    .optional(),
  OIDC_NAME: z.string().trim().max(NAME_MAX, `must be at most ${NAME_MAX} characters`).optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
}

type Variables = z.output<z.ZodObject<typeof issuerVariables>>

/** Returns the issuer that the environment configures; undefined if none. Throws CannotStart. */
export function issuerOf(read: Variables): IssuerSettings | undefined {
  const google = complete(read, ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'])
  const other = complete(read, ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'])
  if (google && other)
    throw new CannotStart(
      'The settings GOOGLE_CLIENT_ID and OIDC_CLIENT_ID exclude each other: set what belongs to one.',
    )
  if (google) {
    return {
      issuer: GOOGLE,
      clientId: google.GOOGLE_CLIENT_ID,
      clientSecret: google.GOOGLE_CLIENT_SECRET,
      name: 'Google',
    }
  }
  return (
    other && {
      // Some consoles show the URL of the metadata.
      issuer: other.OIDC_ISSUER.replace(/\/\.well-known\/openid-configuration\/?$/, ''),
      clientId: other.OIDC_CLIENT_ID,
      clientSecret: other.OIDC_CLIENT_SECRET,
      name: read.OIDC_NAME ?? new URL(other.OIDC_ISSUER).host,
    }
  )
}

/** Returns whether the URL of an issuer is valid and uses TLS or a loopback host. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.search || url.hash || url.username) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname))
}

function complete<N extends keyof Variables>(read: Variables, names: N[]): Record<N, string> | undefined {
  const missing = names.filter((name) => read[name] === undefined)
  if (missing.length === names.length) return undefined
  if (missing.length > 0)
    throw new CannotStart(`The settings ${listed(names)} belong together: ${listed(missing)} is missing.`)
  return read as Record<N, string>
}

const listed = (names: string[]) => new Intl.ListFormat('en').format(names)

/** The environment variable that makes an issuer the only way to sign in. */
export const signInVariables = {
  SIGN_IN: z.enum(['any', 'issuer'], 'must be one of any, issuer').default('any'),
}

/** Returns whether the issuer is the only way to sign in. Throws CannotStart if no issuer is configured. */
export function issuerOnlyOf(
  { SIGN_IN }: z.output<z.ZodObject<typeof signInVariables>>,
  { issuer, firebase }: { issuer: IssuerSettings | undefined; firebase: FirebaseOptions | undefined },
): boolean {
  if (SIGN_IN === 'any') return false
  if (firebase)
    throw new CannotStart('The setting SIGN_IN=issuer excludes IDENTITY_PROVIDER=firebase: set one of them.')
  if (!issuer)
    throw new CannotStart(
      'The setting SIGN_IN=issuer needs an issuer: set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET, or OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.',
    )
  return true
}

/** The environment variable that decides who may register. */
export const registrationVariables = {
  REGISTRATION: z
    .enum(registrationMode.options, 'must be one of open, approval, invitation, closed')
    .optional(),
}

const HOST_NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+(:\d+)?$/

/** The environment variables that choose Firebase. Their values are included in the content security policy of every page. */
export const firebaseVariables = {
  IDENTITY_PROVIDER: z.enum(['local', 'firebase'], 'must be one of local, firebase').default('local'),
  FIREBASE_PROJECT_ID: z
    .string()
    .regex(/^[a-z][a-z0-9-]{4,28}[a-z0-9]$/, 'must be the id of a project, like milepost-1a2b3')
    .optional(),
  FIREBASE_API_KEY: z.string().optional(),
  FIREBASE_AUTH_DOMAIN: z
    .string()
    .regex(HOST_NAME, 'must be the name of a host, like milepost-1a2b3.firebaseapp.com')
    .optional(),
  FIREBASE_APP_ID: z.string().optional(),
}

/** Returns the Firebase project of this server; undefined if this server is the provider. Throws CannotStart. */
export function firebaseOf(
  read: z.output<z.ZodObject<typeof firebaseVariables>>,
): FirebaseOptions | undefined {
  if (read.IDENTITY_PROVIDER !== 'firebase') return undefined
  const needed = (name: Exclude<keyof typeof firebaseVariables, 'IDENTITY_PROVIDER'>) => {
    const value = read[name]
    if (value !== undefined) return value
    throw new CannotStart(
      `The setting ${name} must be given with IDENTITY_PROVIDER=firebase; the Firebase console shows it under Project settings, Your apps.`,
    )
  }
  return {
    projectId: needed('FIREBASE_PROJECT_ID'),
    apiKey: needed('FIREBASE_API_KEY'),
    authDomain: needed('FIREBASE_AUTH_DOMAIN'),
    ...(read.FIREBASE_APP_ID !== undefined && { appId: read.FIREBASE_APP_ID }),
  }
}
