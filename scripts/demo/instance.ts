import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { createRegistration } from '#server/administration/registration.ts'
import { createTexts } from '#server/administration/texts.ts'
import { buildApp } from '#server/app.ts'
import { inProcessOptions } from '#server/app-options.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { createInspector } from '#server/files/inspection/inspect.ts'
import { createLinks } from '#server/files/links.ts'
import { createIdentity } from '#server/identity/create.ts'
import { createRenderer } from '#server/markdown/renderer.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { watchDisk } from '#server/platform/disk.ts'
import { createEvents } from '#server/platform/events/events.ts'
import { loadSecrets } from '#server/platform/secrets.ts'
import { openFiles } from '#server/platform/storage/open.ts'
import { createTokenCipher } from '#server/platform/token-cipher.ts'
import { createPainter } from '#server/public/picture/pictures.ts'
import { createQuotas } from '#server/quotas/quotas.ts'
import type { Settings } from '#server/settings.ts'

export type DemoAccount = { name: string; email: string; password: string; caller: Caller }

/** The product within this process. Its services are called with `deps`. */
export type Instance = {
  deps: AppDeps
  /** Creates an account like the sign-up screen, with a new email and password each time. */
  signUp: (name: string) => Promise<DemoAccount>
  close: () => Promise<void>
}

export async function openInstance(db: Kysely<Schema>, settings: Settings, log: Logger): Promise<Instance> {
  const clock = () => new Date()
  const { publicUrl } = settings
  const secrets = await loadSecrets(settings)
  const identity = await createIdentity({ db, secrets, publicUrl, rateLimit: false, log, clock })
  const renderer = createRenderer(log)
  const painter = createPainter(log)
  const deps: AppDeps = {
    db,
    identity,
    events: createEvents({ db, log }),
    sendsMail: false,
    emailQueues: undefined,
    texts: createTexts({ ...settings, db, clock }),
    registration: createRegistration({ db, clock, registration: settings.registration }),
    tokenCipher: createTokenCipher(secrets),
    renderer,
    quotas: createQuotas({ ...settings, clock }),
    files: await openFiles(settings),
    inspector: createInspector(log),
    painter,
    disk: watchDisk(undefined, () => new Date()),
    fileSettings: settings,
    trashDays: settings.trashDays,
    privateWebhooks: false,
    deliversToWebhooks: true,
    links: createLinks(secrets, clock),
    log,
    clock,
  }
  const app = await buildApp(deps, { ...inProcessOptions, publicUrl })
  const headers = { origin: publicUrl, host: new URL(publicUrl).host }
  return {
    deps,
    async signUp(name) {
      const email = `demo-${randomBytes(3).toString('hex')}@milepost.example`
      const password = randomBytes(9).toString('base64url')
      const payload = { name, email, password }
      const signedUp = await app.inject({ method: 'POST', url: '/api/auth/sign-up/email', headers, payload })
      const cookies = Object.fromEntries(signedUp.cookies.map((cookie) => [cookie.name, cookie.value]))
      const provided = await app.inject({ url: '/api/auth/token', headers, cookies })
      const { user } = await identity.exchange({ idToken: provided.json<{ token: string }>().token })
      // The services require no session.
      return { name, email, password, caller: { userId: user._id, sessionId: '' } }
    },
    async close() {
      await app.close()
      await renderer.close()
      await painter.close()
    },
  }
}
