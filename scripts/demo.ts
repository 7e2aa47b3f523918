import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { buildApp, inProcessOptions } from '#server/app.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { createTokenCipher } from '#server/collaborators/token.ts'
import { openDatabase } from '#server/database/open.ts'
import type { Schema } from '#server/database/rows.ts'
import { createIdentity } from '#server/identity/create.ts'
import { loadSecrets } from '#server/identity/secrets.ts'
import { createRenderer } from '#server/markdown/renderer.ts'
import { createLinks } from '#server/media/links.ts'
import { createEvents } from '#server/platform/events/events.ts'
import { openFiles } from '#server/platform/files/open.ts'
import { createLogger } from '#server/platform/logger.ts'
import { createQuotas } from '#server/quotas/quotas.ts'
import { loadEnvFile, readSettings, type Settings } from '#server/settings.ts'
import { fill, type Sizes } from './demo/fill.ts'

const USE = 'npm run demo -- --projects 6 --milestones 5 --entries 8 --seed 1'

function sizesFrom(args: string[]): Sizes {
  try {
    const { values } = parseArgs({
      args,
      options: {
        projects: { type: 'string', default: '6' },
        milestones: { type: 'string', default: '5' },
        entries: { type: 'string', default: '8' },
        seed: { type: 'string', default: '1' },
      },
    })
    const { projects, milestones, entries, seed } = values
    return {
      projects: count(projects),
      milestones: count(milestones),
      entries: count(entries),
      seed: count(seed),
    }
  } catch (error) {
    throw new CannotStart(`Please say the sizes as whole numbers, for example: ${USE}`, { cause: error })
  }
}

function count(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new Error(`${text} is not a whole number`)
  return Number(text)
}

async function main() {
  const sizes = sizesFrom(process.argv.slice(2))
  loadEnvFile('.env')
  const settings = readSettings(process.env)
  const log = createLogger('warn')
  const say = (text: string) => console.log(text)
  const lost = (error: unknown) => {
    log.fatal({ err: error }, 'the database went away')
    process.exit(1)
  }
  const migration = { encryptInviteToken: createTokenCipher(await loadSecrets(settings)).encrypt }
  const { db, close } = await openDatabase(settings, { log, progress: say, lost, migration })
  try {
    const owner = await makeOwner(db, settings, log)
    const projects = await fill(db, owner.userId, sizes)
    say(
      `${projects.length} projects are there. Sign in as ${owner.email} with the password ${owner.password}`,
    )
    const shown = projects.find((project) => project.isPublic)
    if (shown) say(`One of them is public: ${settings.publicUrl}/world/${shown.id}`)
  } finally {
    await close()
  }
}

type Owner = { userId: string; email: string; password: string }

/** Creates an account as the sign-up screen does, with a new email and password each time. */
async function makeOwner(db: Kysely<Schema>, settings: Settings, log: Logger): Promise<Owner> {
  const clock = () => new Date()
  const { publicUrl } = settings
  const secrets = await loadSecrets(settings)
  const identity = await createIdentity({ db, secrets, publicUrl, rateLimit: false, log, clock })
  const options = { ...inProcessOptions, publicUrl }
  const files = await openFiles(settings)
  const events = createEvents({ db, log })
  const links = createLinks(secrets, clock)
  const renderer = createRenderer(log)
  const quotas = createQuotas({ ...settings, clock })
  const tokenCipher = createTokenCipher(secrets)
  const parts = { db, identity, events, tokenCipher, renderer, quotas, files, links, log, clock }
  const app = await buildApp(parts, options)
  const email = `demo-${randomBytes(3).toString('hex')}@milepost.example`
  const password = randomBytes(9).toString('base64url')
  const headers = { origin: publicUrl, host: new URL(publicUrl).host }
  const signedUp = await app.inject({
    method: 'POST',
    url: '/api/auth/sign-up/email',
    headers,
    payload: { name: 'Ada Lovelace', email, password },
  })
  const cookies = Object.fromEntries(signedUp.cookies.map(({ name, value }) => [name, value]))
  const provided = await app.inject({ url: '/api/auth/token', headers, cookies })
  const { user } = await identity.exchange({ idToken: provided.json<{ token: string }>().token })
  await app.close()
  await renderer.close()
  return { userId: user._id, email, password }
}

main().catch((error: unknown) => {
  if (!(error instanceof CannotStart)) throw error
  console.error(error.message)
  process.exitCode = 1
})
