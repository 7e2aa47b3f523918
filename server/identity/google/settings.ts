import { z } from 'zod'
import { CannotStart } from '#server/cannot-start.ts'

/** An OpenID Connect issuer, and the client that this server is to it. */
export type IssuerSettings = { issuer: string; clientId: string; clientSecret: string }

const GOOGLE = 'https://accounts.google.com'
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The environment variables of sign-in with Google, or with another issuer in its place. */
export const issuerVariables = {
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  OIDC_ISSUER: z
    .string()
    .refine(isIssuer, 'must be an address like https://accounts.example.org, http only on this machine')
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
}

const variables = z.object(issuerVariables)
type Variables = z.output<typeof variables>

/** Returns the issuer that the environment names; undefined where nothing is set. Throws CannotStart. */
export function issuerOf(read: Variables): IssuerSettings | undefined {
  const google = complete(read, ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'])
  const other = complete(read, ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'])
  if (google && other)
    throw new CannotStart(
      'The settings GOOGLE_CLIENT_ID and OIDC_CLIENT_ID exclude each other: set what belongs to one.',
    )
  if (google) {
    return { issuer: GOOGLE, clientId: google.GOOGLE_CLIENT_ID, clientSecret: google.GOOGLE_CLIENT_SECRET }
  }
  return (
    other && {
      issuer: other.OIDC_ISSUER,
      clientId: other.OIDC_CLIENT_ID,
      clientSecret: other.OIDC_CLIENT_SECRET,
    }
  )
}

/** Whether the URL of an issuer is valid and encrypted, or on this machine. */
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
