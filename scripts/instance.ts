import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { createRegistration } from '#server/administration/registration.ts'
import { createTexts } from '#server/administration/texts.ts'
import type { Schema } from '#server/database/rows.ts'
import type { AppDeps } from '#server/deps.ts'
import { createInspector } from '#server/files/inspection/inspect.ts'
import { createLinks } from '#server/files/links.ts'
import { createIdentity } from '#server/identity/create.ts'
import { createRenderer } from '#server/markdown/renderer.ts'
import { watchDisk } from '#server/platform/disk.ts'
import { createEvents } from '#server/platform/events/events.ts'
import { loadSecrets } from '#server/platform/secrets.ts'
import { openFiles } from '#server/platform/storage/open.ts'
import { createTokenCipher } from '#server/platform/token-cipher.ts'
import { createPainter } from '#server/public/picture/pictures.ts'
import { createQuotas } from '#server/quotas/quotas.ts'
import type { Settings } from '#server/settings.ts'

/** The product within this process, without a server. Its services are called with `deps`. */
export type Instance = { deps: AppDeps; close: () => Promise<void> }

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
  return {
    deps,
    async close() {
      await renderer.close()
      await painter.close()
    },
  }
}
