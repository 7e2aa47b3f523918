import type { FeaturePages, PageMounting } from '#server/pages/sources.ts'
import { AppError } from '#server/platform/api/errors.ts'

/** The terms of the administrators, or a redirect to those of the operator. */
export function termsPages(mounting: PageMounting): FeaturePages {
  const { scope, runCall, settings, sendPage, sendMissing } = mounting
  scope.get('/terms', async (request, reply) => {
    const { termsUrl = '/' } = (await settings()).identity
    if (!termsUrl.startsWith('/')) return reply.redirect(termsUrl, 302)
    try {
      return await sendPage(request, reply, { kind: 'terms', terms: await runCall('readTerms', {}) })
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'not_found')) throw error
      return sendMissing(request, reply, { kind: 'missing', what: 'page' })
    }
  })
  return {}
}
