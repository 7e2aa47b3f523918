import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Account } from '#contract/account.ts'
import { ids } from '#contract/parts/wire.ts'
import type { AppDeps } from '#server/deps.ts'
import { NOTHING_ALLOWED } from '#server/files/media-routes.ts'
import { type Caller, clientOf } from '#server/platform/api/calls.ts'
import { invalid, notFound } from '#server/platform/api/errors.ts'
import { isKnown } from '#server/platform/api/request-headers.ts'
import type { Upload } from '#server/platform/api/uploads.ts'
import { readAccount, requireAccount } from './service.ts'
import { deletePicture, findPicture, savePicture } from './store.ts'

/** Stores an uploaded picture of the caller. Throws `not_an_image`, `too_large` or `quota_exceeded`, and `invalid` without a file. */
export async function updatePicture(deps: AppDeps, caller: Caller, upload: Upload | null): Promise<Account> {
  await requireAccount(deps, caller)
  if (!upload) throw invalid([{ path: 'image', message: 'Choose a picture' }])
  const { bytes } = await deps.inspector.profilePicture(upload.path, clientOf(caller))
  await deps.db.transaction().execute(async (trx) => {
    const { before } = await savePicture(trx, { userId: caller.userId, id: randomUUID(), bytes })
    await deps.quotas.requireAccountWithin(trx, caller, bytes.byteLength - before)
  })
  return readAccount(deps, caller)
}

/** Removes the caller's picture, if there is one. */
export async function removePicture(deps: AppDeps, caller: Caller): Promise<void> {
  await requireAccount(deps, caller)
  await deletePicture(deps.db, caller.userId)
}

/** The cache lifetime in browsers. A new picture has a new id. */
const CACHED_SECONDS = 300

const params = ids('pictureId')

/**
 * Sends the pictures of people. The id is random and changes with the picture. Only those who were shown the person know
 * it.
 */
export function profilePictureRoutes(api: FastifyInstance, { db }: AppDeps): void {
  const schema = { hide: true, params }
  api.get('/api/media/people/:pictureId', { schema }, async (request, reply) => {
    const { pictureId } = params.parse(request.params)
    const bytes = await findPicture(db, pictureId)
    if (!bytes) throw notFound('Picture')
    const etag = `"${pictureId}"`
    reply.headers({ etag, 'cache-control': `private, max-age=${CACHED_SECONDS}` })
    if (isKnown(etag, request.headers['if-none-match'])) return reply.code(304).send()
    return reply
      .headers({
        'content-type': 'image/webp',
        'content-disposition': `inline; filename="picture-${pictureId.slice(0, 8)}.webp"`,
        'content-security-policy': NOTHING_ALLOWED,
      })
      .send(bytes)
  })
}
