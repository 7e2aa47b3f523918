/** What PostgreSQL or TLS says, what the operator can do about it, and the SQLSTATE, as servers speak many languages. */
const REMEDIES: [RegExp, string, string?][] = [
  [
    /no encryption/,
    'it accepts only encrypted connections, so add sslmode=verify-full to DATABASE_URL, and sslrootcert=FILE if its certificate is from an authority of your own',
  ],
  [
    /self-signed certificate|unable to verify|unable to get (local )?issuer/i,
    'its certificate is not from a known authority, so add sslrootcert=FILE with the certificate of that authority to DATABASE_URL',
  ],
  [
    /does not match certificate|altnames/,
    'its certificate is for another host, so let DATABASE_URL name a host of the certificate',
  ],
  [/certificate has expired/, 'renew its certificate'],
  [/does not support SSL/, 'it does not encrypt connections, so remove sslmode from DATABASE_URL'],
  [
    /password authentication failed|SASL|no password supplied/,
    'check the user and the password in DATABASE_URL, where characters such as @ : / # must be percent-encoded',
    '28P01',
  ],
  [
    /no pg_hba.conf entry/,
    'let pg_hba.conf of the database server accept this user, database and address',
    '28000',
  ],
  [/database ".*" does not exist/, 'create it, owned by the role of DATABASE_URL', '3D000'],
  [
    /permission denied for (schema|database)/,
    'let the role of DATABASE_URL own the database: alter database NAME owner to ROLE',
    '42501',
  ],
]

/** Returns what an operator can do about an error of the database, to be added to its message; empty if nothing is known. */
export function remedyFor(error: unknown): string {
  if (!(error instanceof Error)) return ''
  const state = 'code' in error ? error.code : undefined
  const [, remedy] =
    REMEDIES.find(([pattern]) => pattern.test(error.message)) ??
    REMEDIES.find(([, , code]) => code !== undefined && code === state) ??
    []
  return remedy ? ` (${remedy})` : ''
}
