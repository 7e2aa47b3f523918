import { isIP } from 'node:net'
import { homedir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import type { FirebaseOptions, RegistrationMode } from '#contract/identity.ts'
import { CannotStart } from './cannot-start.ts'
import { type FileSettings, filesOf, fileVariables } from './files/settings.ts'
import { type HistorySettings, historyOf, historyVariables } from './history/settings.ts'
import {
  firebaseOf,
  firebaseVariables,
  type IssuerSettings,
  issuerOf,
  issuerOnlyOf,
  issuerVariables,
  registrationVariables,
  signInVariables,
} from './identity/settings.ts'
import { type LoadSettings, loadOf, loadVariables } from './platform/limits/settings.ts'
import { type MailSettings, mailOf, mailVariables } from './platform/mail/settings.ts'
import { type MetricsSettings, metricsOf, metricsVariables } from './platform/metrics/settings.ts'
import { choice, secret, whole } from './platform/settings.ts'
import { type QuotaSettings, quotasOf, quotaVariables } from './quotas/settings.ts'

/** The operator's settings, read once at the start. */
export type Settings = {
  port: number
  host: string
  /** The public origin of this server, without a final slash. */
  publicUrl: string
  dataDir: string
  /** Undefined: the embedded database under `dataDir`. */
  databaseUrl: string | undefined
  databasePoolSize: number
  rateLimit: boolean
  trustProxy: boolean | string[]
  logLevel: string
  /** Undefined: it is in a file under `dataDir`. */
  tokenSecret: string | undefined
  /** The previous one, during a rotation. */
  previousTokenSecret: string | undefined
  /** Undefined: this server is the identity provider. */
  firebase: FirebaseOptions | undefined
  /** Undefined: files are stored in a directory under `dataDir`. */
  bucket: BucketSettings | undefined
  /** Whether the entry editor shows its image section. The API accepts images either way. */
  entryImages: boolean
  /** The URL of the operator's terms and conditions. Undefined: pages say whom to ask. */
  termsUrl: string | undefined
  /** The number of days for which deletions can be restored. */
  trashDays: number
  /** Whether webhooks may have URLs in private networks and without TLS. */
  privateWebhooks: boolean
  /** Whether events are sent to webhooks. Otherwise they are queued. */
  deliversToWebhooks: boolean
  /** The maximum number of event streams of one process. */
  eventStreamsMax: number
  /** How long a stopping process waits for load balancers to notice; see `drain`. */
  drainSeconds: number
  /** Undefined: no sign-in with Google or another issuer. */
  issuer: IssuerSettings | undefined
  /** Whether that issuer is the only way to sign in, without passwords and passkeys. */
  issuerOnly: boolean
  /** Who may register. Undefined: the administrators choose. */
  registration: RegistrationMode | undefined
  /** Undefined: no mail is sent. */
  mail: MailSettings | undefined
  /** Undefined: there are no metrics. */
  metrics: MetricsSettings | undefined
  development: boolean
} & LoadSettings &
  QuotaSettings &
  FileSettings &
  HistorySettings

/** A bucket of S3 or of a compatible server. */
export type BucketSettings = {
  name: string
  region: string
  /** Undefined: Amazon's. */
  endpoint: string | undefined
  /** Undefined: the credentials of the machine, found like Amazon's tools do. */
  accessKey: { id: string; secret: string } | undefined
  /** Whether the bucket's name is in the path instead of the host. */
  pathStyle: boolean
}

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

/** The environment variables; `.env.example` explains each. */
/** A path that begins with a variable, such as `$HOME/data`, `${HOME}/data` or `%USERPROFILE%\\data`. */
const UNREPLACED = /^(?:\$\w+|\$\{\w+\}|%\w+%)(?:[\\/]|$)/

export const variables = z.object({
  PORT: whole(1, 65_535).default(3000),
  // As in a URL, with brackets.
  HOST: z
    .string()
    .transform((text) => text.replace(/^\[(.*)\]$/, '$1'))
    .refine(
      (text) => isIP(text) !== 0 || /^[\w.-]+$/.test(text),
      'must be an address or a name alone, such as 0.0.0.0; the port is the setting PORT',
    )
    .default('127.0.0.1'),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, 'must be an address like https://milepost.example, without a path')
    .optional(),
  DATA_DIR: z
    .string()
    .refine(
      (folder) => !UNREPLACED.test(folder),
      'must be a path as it is on the disk: nothing here replaces a variable at its beginning',
    )
    // Shells replace it, files with settings do not.
    .transform((folder) => (/^~(?:\/|$)/.test(folder) ? path.join(homedir(), folder.slice(1)) : folder))
    .default('./data'),
  DATABASE_URL: z
    .string()
    .refine(
      isPostgresUrl,
      'must be an address like postgres://user:password@host:5432/database, with %40 for an @ in the password, %2F for a /, %3A for a : and %25 for a %',
    )
    .optional(),
  DATABASE_POOL_SIZE: whole(2, 500).default(10),
  RATE_LIMIT: choice(['on', 'off']).default('on'),
  TRUST_PROXY: z
    .string()
    .transform((text) =>
      text === 'on' || text === 'off' ? text === 'on' : text.split(/[\s,]+/).filter(Boolean),
    )
    .refine((value) => typeof value === 'boolean' || value.every(isNetwork), {
      message: 'must be on, off or a list of addresses such as "loopback, 10.0.0.0/8"',
    })
    .default(false),
  LOG_LEVEL: choice(LEVELS).default('info'),
  TOKEN_SECRET: secret.optional(),
  TOKEN_SECRET_PREVIOUS: secret.optional(),
  ...firebaseVariables,
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ENDPOINT: z.string().refine(isWebAddress, 'must be an address like https://s3.example.org').optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  S3_PATH_STYLE: choice(['on', 'off']).default('off'),
  ENTRY_IMAGES: choice(['on', 'off']).default('off'),
  TERMS_URL: z
    .string()
    .refine(isWebAddress, 'must be an address like https://milepost.example/terms.html')
    .optional(),
  TRASH_DAYS: whole(1, 3650).default(30),
  WEBHOOK_PRIVATE_NETWORKS: choice(['on', 'off']).default('off'),
  WEBHOOK_DELIVERIES: choice(['on', 'off']).default('on'),
  EVENT_STREAMS_MAX: whole(1, 1_000_000).default(5000),
  DRAIN_SECONDS: whole(0, 600).default(0),
  ...issuerVariables,
  ...signInVariables,
  ...registrationVariables,
  ...mailVariables,
  ...loadVariables,
  ...metricsVariables,
  ...quotaVariables,
  ...fileVariables,
  ...historyVariables,
  NODE_ENV: z.string().optional(),
})

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(variables.shape)

/** Their every character counts, since without one of them everybody is signed out. */
const SECRETS = ['TOKEN_SECRET', 'TOKEN_SECRET_PREVIOUS']

/** Returns a value without what container engines leave around it: quotes of an env file, line ends of Windows and of a mounted secret. */
const bare = (value: string) => value.trim().replace(/^(["'])(.*)\1$/s, '$2')

/** Reads and validates the environment. Throws CannotStart with a sentence about the first invalid variable. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const given = Object.entries(environment).flatMap(([name, value = '']) => {
    const meant = SECRETS.includes(name) ? value : bare(value)
    return meant.trim() === '' ? [] : [[name, meant]]
  })
  const result = variables.safeParse(Object.fromEntries(given))
  const issue = result.error?.issues[0]
  if (!result.success) throw new CannotStart(`The setting ${issue?.path.join('.')} ${issue?.message}.`)
  const read = result.data
  const firebase = firebaseOf(read)
  const issuer = issuerOf(read)
  return {
    port: read.PORT,
    host: read.HOST,
    publicUrl: read.PUBLIC_URL ? new URL(read.PUBLIC_URL).origin : `http://localhost:${read.PORT}`,
    dataDir: read.DATA_DIR,
    databaseUrl: read.DATABASE_URL,
    databasePoolSize: read.DATABASE_POOL_SIZE,
    rateLimit: read.RATE_LIMIT === 'on',
    privateWebhooks: read.WEBHOOK_PRIVATE_NETWORKS === 'on',
    deliversToWebhooks: read.WEBHOOK_DELIVERIES === 'on',
    trustProxy: read.TRUST_PROXY,
    logLevel: read.LOG_LEVEL,
    tokenSecret: read.TOKEN_SECRET,
    previousTokenSecret: read.TOKEN_SECRET_PREVIOUS,
    firebase,
    bucket: bucketOf(read),
    entryImages: read.ENTRY_IMAGES === 'on',
    termsUrl: read.TERMS_URL,
    trashDays: read.TRASH_DAYS,
    eventStreamsMax: read.EVENT_STREAMS_MAX,
    drainSeconds: read.DRAIN_SECONDS,
    issuer,
    issuerOnly: issuerOnlyOf(read, { issuer, firebase }),
    registration: read.REGISTRATION,
    mail: mailOf(read),
    ...loadOf(read),
    ...quotasOf(read),
    ...filesOf(read),
    ...historyOf(read),
    metrics: metricsOf(read),
    development: read.NODE_ENV === 'development',
  }
}

function bucketOf(read: z.output<typeof variables>): BucketSettings | undefined {
  const { S3_BUCKET: name, S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret, S3_ENDPOINT: endpoint } = read
  if (!name) {
    if (id || secret || endpoint)
      throw new CannotStart('The setting S3_BUCKET must name the bucket that the other S3 settings lead to.')
    return undefined
  }
  if (Boolean(id) !== Boolean(secret))
    throw new CannotStart('The settings S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be given together.')
  return {
    name,
    endpoint,
    region: read.S3_REGION,
    accessKey: id && secret ? { id, secret } : undefined,
    pathStyle: read.S3_PATH_STYLE === 'on',
  }
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '')
}

/** As `pg` reads it: the host may be missing, for a socket in `?host=`. */
function isPostgresUrl(text: string): boolean {
  const url = URL.parse(text) ?? URL.parse(text.replace('@/', '@socket/'))
  return url !== null && /^postgres(?:ql)?:$/.test(url.protocol) && !/%(?![\da-f]{2})/i.test(text)
}

function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/')
  const bitsFit =
    bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (isIP(address) === 6 ? 128 : 32))
  return NAMED_NETWORKS.includes(text) || (isIP(address) !== 0 && bitsFit)
}
