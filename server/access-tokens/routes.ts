import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import { createAccessToken, listAccessTokens, revokeAccessToken } from './service.ts'

export function accessTokenRoutes(serve: Serve, deps: AppDeps): void {
  serve('listAccessTokens', ({ caller }) => listAccessTokens(deps, caller))
  serve('createAccessToken', ({ caller, body, change }) => createAccessToken(deps, caller, body, change))
  serve('revokeAccessToken', ({ caller, params }) => revokeAccessToken(deps, caller, params.tokenId))
}
