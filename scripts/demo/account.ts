import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { buildApp, inProcessOptions } from '#server/app.ts'
import { createTokenCipher } from '#server/collaborators/token.ts'
import type { Schema } from '#server/database/rows.ts'
import { createLinks } from '#server/files/links.ts'
import { createIdentity } from '#server/identity/create.ts'
import { loadSecrets } from '#server/identity/secrets.ts'
import { createRenderer } from '#server/markdown/renderer.ts'
import { createEvents } from '#server/platform/events/events.ts'
import { openFiles } from '#server/platform/files/open.ts'
import { createQuotas } from '#server/quotas/quotas.ts'
import type { Settings } from '#server/settings.ts'

export type Owner = { userId: string; email: string; password: string }

/** Creates an account as the sign-up screen does, with a new email and password each time. */
export async function makeOwner(db: Kysely<Schema>, settings: Settings, log: Logger): Promise<Owner> {
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
  const parts = {
    db,
    identity,
    events,
    sendsMail: false,
    tokenCipher,
    renderer,
    quotas,
    files,
    fileSettings: settings,
    links,
    log,
    clock,
  }
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
