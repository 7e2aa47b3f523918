import type { FastifyInstance } from 'fastify'
import { localProviderCalls } from '#contract/identity.ts'
import { passkeySignInCalls } from '#contract/passkeys.ts'
import { routeOf } from '#server/platform/api/calls.ts'
import { AppError, conflict, forbidden } from '#server/platform/api/errors.ts'
import type { ProviderOptions } from './identity.ts'

/** The error of calls that are disabled because users sign in only through an issuer. */
const issuerOnly = (issuerName = 'Google') =>
  forbidden(
    `People sign in to this server with “Continue with ${issuerName}” alone. It has no passwords and passkeys.`,
  )

/** Returns the error of a call for data that another provider manages: `forbidden` if the operator turned the call off, otherwise `conflict`. */
export const managedElsewhere = (options: ProviderOptions, message: string): AppError =>
  options.issuerOnly ? issuerOnly(options.issuerName) : conflict(message)

const { signUpAtProvider, signInAtProvider, finishSignInAtProvider, requestPasswordReset, resetPassword } =
  localProviderCalls

const REFUSED = {
  signUpAtProvider,
  signInAtProvider,
  finishSignInAtProvider,
  requestPasswordReset,
  resetPassword,
  ...passkeySignInCalls,
}

/** Mounts the calls of all other sign-in methods, which refuse every request. */
export function refuseOtherSignIns(app: FastifyInstance, issuerName: string | undefined): void {
  for (const [name, call] of Object.entries(REFUSED)) {
    app.route({
      ...routeOf(name, call),
      onRequest: async () => {
        throw issuerOnly(issuerName)
      },
      handler: () => undefined,
    })
  }
}
