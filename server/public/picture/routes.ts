import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ids } from '#contract/parts/wire.ts'
import type { AppDeps } from '#server/deps.ts'
import { openCover } from '#server/files/media.ts'
import { AppError } from '#server/platform/api/errors.ts'
import { isKnown } from '#server/platform/api/request-headers.ts'
import { clientNamed } from '#server/platform/limits/fair-queue.ts'
import { networkOf } from '#server/platform/network.ts'
import { readEntryCard, readProjectCard } from '#server/public/cards.ts'
import { type Card, coverOf } from './card.ts'
import { createPictures, etagOfCard } from './pictures.ts'

/** The first byte of every PNG. */
const PNG_BEGINS = 0x89

const ofProject = ids('projectId')
const ofEntry = ids('projectId', 'entryId')

/**
 * Serves share pictures. Their content is read for each request and determines the ETag, so no picture is served that is no
 * longer public or is outdated.
 */
export function pictureRoutes(api: FastifyInstance, deps: AppDeps): void {
  const picture = createPictures(async (card) => {
    const wanted = coverOf(card)
    const cover = wanted === null ? null : await readCover(deps, wanted)
    const isLost = wanted && !cover && card.kind !== 'site'
    return deps.painter.paint({ card: isLost ? { ...card, cover: null } : card, cover })
  })

  async function send(request: FastifyRequest, reply: FastifyReply, card: Card) {
    const etag = etagOfCard(card)
    const caching = {
      etag,
      'cache-control': 'no-cache',
      'cross-origin-resource-policy': 'cross-origin',
    }
    if (isKnown(etag, request.headers['if-none-match'])) return reply.code(304).headers(caching).send()
    const bytes = await picture(clientNamed(networkOf(request.ip)), card)
    return reply
      .headers({
        ...caching,
        'content-type': bytes[0] === PNG_BEGINS ? 'image/png' : 'image/jpeg',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      })
      .send(bytes)
  }

  api.get('/share.png', { schema: { hide: true } }, (request, reply) =>
    send(request, reply, { kind: 'site' }),
  )
  // With a cover it is a JPEG, because messengers show no PNG as large as that of a photograph.
  for (const name of ['share.png', 'share.jpg']) {
    api.get(
      `/world/:projectId/${name}`,
      { schema: { hide: true, params: ofProject } },
      async (request, reply) =>
        send(request, reply, await readProjectCard(deps, ofProject.parse(request.params).projectId)),
    )
    api.get(
      `/world/:projectId/entries/:entryId/${name}`,
      { schema: { hide: true, params: ofEntry } },
      async (request, reply) =>
        send(request, reply, await readEntryCard(deps, ofEntry.parse(request.params))),
    )
  }
}

/** Returns the bytes of a cover in the size of cards; null if the storage has lost it. */
async function readCover(deps: AppDeps, fileId: string): Promise<Uint8Array | null> {
  try {
    const { bytes } = await openCover(deps, fileId)
    return await buffer(bytes)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}
