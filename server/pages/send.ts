import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MissingPage, Page, ScreenMatch } from '#contract/rendering.ts'
import { isOutage } from '#server/database/outage.ts'
import { AppError } from '#server/platform/api/errors.ts'
import type { MountedBuild } from './build.ts'
import { invitationAt } from './invitation.ts'
import { createPageCache, pageKey } from './page-cache.ts'
import { createPageRenderer, encodePage, type PagesOptions } from './render.ts'
import { encodingOf, send } from './responses.ts'

/** Creates the functions that render pages of a build and send them. */
export function createPageSender(build: MountedBuild, options: PagesOptions) {
  const { renderPage, renderPrivate, readShared } = createPageRenderer(build, options)
  const cache = createPageCache()

  async function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page) {
    const { settings } = await readShared()
    return send(request, reply, await encodePage(await renderPage(page, settings), encodingOf(request)))
  }

  async function sendPrivate(request: FastifyRequest, reply: FastifyReply, page: Page) {
    const { status, headers, body } = await encodePage(await renderPrivate(page), encodingOf(request))
    return reply.code(status).headers(headers).send(body)
  }

  /** Sends the page of something that does not exist, which is rendered once for each version of what it shows. */
  async function sendMissing(request: FastifyRequest, reply: FastifyReply, page: MissingPage, own = '') {
    const { settings, version } = await readShared()
    const create = () => renderPage(page, settings)
    const key = pageKey(`${JSON.stringify(page)} ${version} ${own}`)
    return send(request, reply, await cache.obtainMissing(key, encodingOf(request), create))
  }

  /** Sends the page that says that one failed. Throws the error if it is an expected one. */
  function sendFailed(
    request: FastifyRequest,
    reply: FastifyReply,
    error: unknown,
    isPublicProject: boolean,
  ) {
    if (error instanceof AppError || isOutage(error)) throw error
    request.log.error({ err: error }, 'a page failed')
    return sendPage(request, reply, { kind: 'failed', isPublicProject })
  }

  /** Sends a screen of the app as a visitor sees it. Behind the guard that is the same for everybody, and rendered once. */
  async function sendScreen(
    request: FastifyRequest,
    reply: FastifyReply,
    { pattern, isSameForAll }: ScreenMatch,
    { pathname, search }: URL,
  ) {
    const { settings, version } = await readShared()
    const encoding = encodingOf(request)
    try {
      if (isSameForAll) {
        const create = () => renderPage({ kind: 'screen', path: pattern }, settings)
        const key = pageKey(`screen ${pattern} ${version}`)
        return send(request, reply, await cache.obtain(key, encoding, create))
      }
      const invitation = await invitationAt(pathname, options.runCall)
      const page = await renderPage({ kind: 'screen', path: pathname + search, invitation }, settings)
      return send(request, reply, await encodePage(page, encoding))
    } catch (error) {
      return sendFailed(request, reply, error, false)
    }
  }

  return { cache, renderPage, readShared, sendPage, sendPrivate, sendMissing, sendFailed, sendScreen }
}
export type PageSender = ReturnType<typeof createPageSender>
