import type { CachedParams } from '#contract/rendering.ts'
import { runCallForVisitor } from '#web/api/run-call.server.ts'
import { indexingHeaders } from '#web/world/indexing.server.ts'
import type { Route } from './+types/feed'
import { feedText, formatOf } from './feed.server.ts'

export const cachedParams: CachedParams = {}

/** The feed of a public project, in the format of the path's extension. */
export async function loader({ context, params, request }: Route.LoaderArgs): Promise<Response> {
  const content = await runCallForVisitor(context, 'listWorldEntries', { params })
  const { text, type } = await feedText(content, formatOf(request.url), request.url)
  return new Response(text, {
    headers: {
      'content-type': type,
      ...indexingHeaders(content.project.visibility === 'public'),
      // Allows feed readers that run in a browser on another site.
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    },
  })
}
