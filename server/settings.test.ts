import { globSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { readSettings, variables } from './settings.ts'

test('everything has a default', () => {
  expect(readSettings({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:3000',
    dataDir: './data',
    databaseUrl: undefined,
    rateLimit: true,
    trustProxy: false,
    bucket: undefined,
    entryImages: false,
    accountQuota: 5_000_000_000,
    instanceQuota: undefined,
    development: false,
  })
})

test.each([
  ['PORT', '3001\r', { port: 3001 }],
  ['PORT', ' "3001" ', { port: 3001 }],
  ['HOST', "'0.0.0.0'\n", { host: '0.0.0.0' }],
  ['HOST', '[::]', { host: '::' }],
  ['RATE_LIMIT', 'off ', { rateLimit: false }],
  ['PUBLIC_URL', '"https://m.example/"', { publicUrl: 'https://m.example' }],
  ['DATABASE_URL', '"postgres://u:p%25@h/db"\r\n', { databaseUrl: 'postgres://u:p%25@h/db' }],
  ['TRUST_PROXY', '10.0.0.1, ', { trustProxy: ['10.0.0.1'] }],
  // Another one would sign everybody out.
  ['TOKEN_SECRET', `"${'x'.repeat(32)}"\n`, { tokenSecret: `"${'x'.repeat(32)}"\n` }],
])('%s is read without what a container engine leaves around it: %j', (name, value, expected) => {
  expect(readSettings({ [name]: value })).toMatchObject(expected)
})

test.each([
  ['~/milepost', `${homedir()}/milepost`],
  ['~', homedir()],
  ['./~/data', './~/data'],
  ['/srv/$HOME', '/srv/$HOME'],
])('the data folder %s is %s, as in a shell', (DATA_DIR, dataDir) => {
  expect(readSettings({ DATA_DIR }).dataDir).toBe(dataDir)
})

test.each(['$HOME/data', '${HOME}/data', '$DATA', '%USERPROFILE%\\data'])(
  'a variable that nobody has replaced is no data folder: %s',
  (DATA_DIR) => {
    expect(() => readSettings({ DATA_DIR })).toThrow(
      'The setting DATA_DIR must be a path as it is on the disk',
    )
  },
)

test.each(['0.0.0.0:3000', 'http://0.0.0.0', '*', '::1]'])('HOST is an address alone, not %s', (HOST) => {
  expect(() => readSettings({ HOST })).toThrow('The setting HOST must be an address or a name alone')
})

test('an option that SMTP_URL does not have is named as the reason', () => {
  const settings = { SMTP_URL: 'smtp://u:p@h:587?secure=true', MAIL_FROM: 'a@example.org' }
  expect(() => readSettings(settings)).toThrow('with no option behind it but tls')
})

test.each(['postgres://u:p%ss@h/db', 'postgres://u:100%@h/db'])('%s needs its %% escaped', (url) => {
  expect(() => readSettings({ DATABASE_URL: url })).toThrow('%25 for a %')
})

test('metrics are disabled unless they are served somewhere', () => {
  expect(readSettings({}).metrics).toBeUndefined()
  expect(readSettings({ METRICS_PORT: '9464' }).metrics).toEqual({
    address: { host: '127.0.0.1', port: 9464 },
    token: undefined,
  })
  const token = 'a-secret-that-only-Prometheus-has-been-told'
  expect(readSettings({ METRICS_TOKEN: token }).metrics).toEqual({ address: undefined, token })
})

test('the terms are at a web URL', () => {
  expect(readSettings({ TERMS_URL: 'https://example.org/terms' }).termsUrl).toBe('https://example.org/terms')
  expect(() => readSettings({ TERMS_URL: 'javascript:alert(1)' })).toThrow('The setting TERMS_URL')
})

test('an empty variable counts as unset', () => {
  expect(readSettings({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 3000, databaseUrl: undefined })
})

test('the public URL follows the port and loses a final slash', () => {
  expect(readSettings({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080')
  expect(readSettings({ PUBLIC_URL: 'https://milepost.example/' }).publicUrl).toBe('https://milepost.example')
})

test('trusted proxies are a switch or a list of networks', () => {
  expect(readSettings({ TRUST_PROXY: 'on' }).trustProxy).toBe(true)
  expect(readSettings({ TRUST_PROXY: 'loopback, 10.0.0.0/8, ::1' }).trustProxy).toEqual([
    'loopback',
    '10.0.0.0/8',
    '::1',
  ])
})

test.each([
  ['PORT', 'http', 'The setting PORT must be a whole number from 1 to 65535.'],
  ['PORT', '70000', 'The setting PORT must be a whole number from 1 to 65535.'],
  ['PUBLIC_URL', 'milepost.example', 'The setting PUBLIC_URL must be an address like'],
  ['PUBLIC_URL', 'https://example.org/milepost', 'The setting PUBLIC_URL must be an address like'],
  ['DATABASE_URL', 'mysql://localhost/milepost', 'The setting DATABASE_URL must be an address like'],
  ['DATABASE_POOL_SIZE', '1', 'The setting DATABASE_POOL_SIZE must be a whole number from 2 to 500.'],
  ['ACCOUNT_QUOTA_MB', '0', 'The setting ACCOUNT_QUOTA_MB must be a whole number from 1 to 1000000000.'],
  ['INSTANCE_QUOTA_MB', '5 GB', 'The setting INSTANCE_QUOTA_MB must be a whole number from 1 to 1000000000.'],
  ['RATE_LIMIT', 'no', 'The setting RATE_LIMIT must be one of on, off.'],
  ['TRUST_PROXY', '10.0.0.0/40', 'The setting TRUST_PROXY must be on, off or a list of addresses'],
  ['S3_ENDPOINT', 's3.example.org', 'The setting S3_ENDPOINT must be an address like'],
  ['S3_ENDPOINT', 'https://s3.example.org', 'The setting S3_BUCKET must name the bucket'],
  ['S3_SECRET_ACCESS_KEY', 'x', 'The setting S3_BUCKET must name the bucket'],
  ['S3_PATH_STYLE', 'yes', 'The setting S3_PATH_STYLE must be one of on, off.'],
  ['ENTRY_IMAGES', 'true', 'The setting ENTRY_IMAGES must be one of on, off.'],
  ['LOG_LEVEL', 'loud', 'The setting LOG_LEVEL must be one of fatal, error'],
  ['IDENTITY_PROVIDER', 'google', 'The setting IDENTITY_PROVIDER must be one of local, firebase.'],
  [
    'FIREBASE_AUTH_DOMAIN',
    'x.test; script-src *',
    'The setting FIREBASE_AUTH_DOMAIN must be the name of a host',
  ],
  ['FIREBASE_AUTH_DOMAIN', 'https://x.test', 'The setting FIREBASE_AUTH_DOMAIN must be the name of a host'],
  ['FIREBASE_PROJECT_ID', 'My Project', 'The setting FIREBASE_PROJECT_ID must be the id of a project'],
  ['SMTP_URL', 'mail.example.org', 'The setting SMTP_URL must be an address like smtp://'],
  ['SMTP_URL', 'smtp://mail.example.org', 'The setting MAIL_FROM must name the sender'],
  ['MAIL_FROM', 'Milepost', 'The setting MAIL_FROM must be an address like Milepost <'],
  ['MAIL_FROM', 'milepost@example.org', 'The setting SMTP_URL must name the server'],
  ['REQUEST_TIMEOUT', '0', 'The setting REQUEST_TIMEOUT must be a whole number from 1 to 3600.'],
  ['OVERLOAD_DELAY', '-1', 'The setting OVERLOAD_DELAY must be a whole number from 0 to 60000.'],
  ['METRICS_TOKEN', 'short', 'The setting METRICS_TOKEN must have at least 32 characters'],
  [
    'METRICS_TOKEN',
    'a secret with spaces, which no header can carry',
    'The setting METRICS_TOKEN must consist of',
  ],
  ['TOKEN_SECRET', 'short', 'The setting TOKEN_SECRET must have at least 32 characters'],
])('an invalid %s (%s) is reported in one sentence', (name, value, sentence) => {
  expect(() => readSettings({ [name]: value })).toThrow(sentence)
})

describe('sign-in', () => {
  const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
  const other = {
    OIDC_ISSUER: 'https://accounts.example',
    OIDC_CLIENT_ID: 'id',
    OIDC_CLIENT_SECRET: 'secret',
  }

  test('with Google, with another issuer, or with none', () => {
    expect(readSettings({}).issuer).toBeUndefined()
    const asked = { clientId: 'id', clientSecret: 'secret' }
    const issuer = 'https://accounts.google.com'
    expect(readSettings(google).issuer).toEqual({ issuer, ...asked, name: 'Google' })
    const named = { issuer: 'https://accounts.example', ...asked, name: 'accounts.example' }
    expect(readSettings(other).issuer).toEqual(named)
    const metadata = `${other.OIDC_ISSUER}/.well-known/openid-configuration`
    expect(readSettings({ ...other, OIDC_ISSUER: metadata }).issuer).toEqual(named)
    expect(readSettings({ ...other, OIDC_NAME: 'Casa' }).issuer?.name).toBe('Casa')
    const here = { ...other, OIDC_ISSUER: 'http://localhost:8080/realms/here' }
    expect(readSettings(here).issuer?.issuer).toBe('http://localhost:8080/realms/here')
  })

  test('only through the issuer if the operator chooses so, and never without an issuer', () => {
    expect(readSettings(google).issuerOnly).toBe(false)
    expect(readSettings({ ...google, SIGN_IN: 'issuer' }).issuerOnly).toBe(true)
    expect(() => readSettings({ SIGN_IN: 'issuer' })).toThrow(
      'The setting SIGN_IN=issuer needs an issuer: set ',
    )
    const firebase = {
      IDENTITY_PROVIDER: 'firebase',
      FIREBASE_PROJECT_ID: 'milepost-1a2b3',
      FIREBASE_API_KEY: 'key',
      FIREBASE_AUTH_DOMAIN: 'milepost-1a2b3.firebaseapp.com',
    }
    expect(() => readSettings({ ...google, ...firebase, SIGN_IN: 'issuer' })).toThrow(
      'The setting SIGN_IN=issuer excludes IDENTITY_PROVIDER=firebase',
    )
    expect(() => readSettings({ SIGN_IN: 'google' })).toThrow(
      'The setting SIGN_IN must be one of any, issuer.',
    )
  })

  test.each<[NodeJS.ProcessEnv, string]>([
    [
      { GOOGLE_CLIENT_ID: 'id' },
      'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together: GOOGLE_CLIENT_SECRET is missing.',
    ],
    [
      { ...other, OIDC_CLIENT_SECRET: '' },
      'OIDC_CLIENT_ID, and OIDC_CLIENT_SECRET belong together: OIDC_CLIENT_SECRET is missing.',
    ],
    [{ ...google, ...other }, 'The settings GOOGLE_CLIENT_ID and OIDC_CLIENT_ID exclude each other'],
    [{ ...other, OIDC_ISSUER: 'accounts.example' }, 'The setting OIDC_ISSUER must be an address like'],
    [{ ...other, OIDC_ISSUER: 'http://accounts.example' }, 'The setting OIDC_ISSUER must be an address like'],
  ])('never with half of one (%o)', (given, sentence) => {
    expect(() => readSettings(given)).toThrow(sentence)
  })
})

test('Firebase is the provider if it is chosen and completely configured', () => {
  const given = {
    IDENTITY_PROVIDER: 'firebase',
    FIREBASE_PROJECT_ID: 'milepost-1a2b3',
    FIREBASE_API_KEY: 'public-key',
    FIREBASE_AUTH_DOMAIN: 'milepost-1a2b3.firebaseapp.com',
  }
  const firebase = {
    projectId: 'milepost-1a2b3',
    apiKey: 'public-key',
    authDomain: 'milepost-1a2b3.firebaseapp.com',
  }
  expect(readSettings(given).firebase).toEqual(firebase)
  expect(readSettings({ ...given, FIREBASE_APP_ID: '1:2:web:3' }).firebase).toEqual({
    ...firebase,
    appId: '1:2:web:3',
  })
  expect(readSettings({ ...given, IDENTITY_PROVIDER: 'local' }).firebase).toBeUndefined()
  for (const name of ['FIREBASE_PROJECT_ID', 'FIREBASE_API_KEY', 'FIREBASE_AUTH_DOMAIN'])
    expect(() => readSettings({ ...given, [name]: '' })).toThrow(
      `The setting ${name} must be given with IDENTITY_PROVIDER=firebase; the Firebase console shows it`,
    )
})

test('a bucket requires its name, and both parts of the access key or neither', () => {
  expect(readSettings({ S3_BUCKET: 'images' }).bucket).toEqual({
    name: 'images',
    region: 'us-east-1',
    endpoint: undefined,
    accessKey: undefined,
    pathStyle: false,
  })
  const key = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }
  expect(readSettings({ S3_BUCKET: 'images', ...key }).bucket?.accessKey).toEqual({
    id: 'id',
    secret: 'secret',
  })
  expect(() => readSettings({ S3_BUCKET: 'images', S3_ACCESS_KEY_ID: 'id' })).toThrow(
    'must be given together',
  )
})

const example = Object.fromEntries(
  readFileSync('.env.example', 'utf8')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => line.split('=', 2) as [string, string]),
)

test('.env.example contains every setting with a valid value', () => {
  const { NODE_ENV: _, ...operators } = variables.shape
  expect(Object.keys(example).toSorted()).toEqual(Object.keys(operators).toSorted())
  expect(readSettings(example)).toEqual(readSettings({}))
})

test('the documentation for operators names every setting', () => {
  const pages = globSync('docs/operations{.md,/*.md}').map((path) => readFileSync(path, 'utf8'))
  const { NODE_ENV: _, ...operators } = variables.shape
  const unnamed = Object.keys(operators).filter((name) => !pages.some((text) => text.includes(`\`${name}`)))
  expect(unnamed).toEqual([])
  const defaults = Array.from(pages.join('\n').matchAll(/^\| `([A-Z_\d]+)` \| (\d+)/gm), ([, ...row]) => row)
  expect(defaults).toContainEqual(['FILE_MAX_MB', '25'])
  expect(defaults.filter(([name = '', number]) => example[name] !== number)).toEqual([])
})
