import type { FastifyInstance } from 'fastify'
import { localProviderCalls } from '#contract/identity.ts'
import { passkeySignInCalls } from '#contract/passkeys.ts'
import { routeOf } from '#server/platform/calls.ts'
import { AppError, conflict, forbidden } from '#server/platform/errors.ts'
import type { ProviderOptions } from './identity.ts'

/** The refusal of what an operator has switched off who lets people in by an issuer alone. */
const issuerOnly = () =>
  forbidden(
    'People sign in to this server with “Continue with Google” alone. It has no passwords and passkeys.',
  )

/** Returns the refusal of a call about what this server does not keep: `forbidden` where the operator switched it off, else `conflict`. */
export const keptElsewhere = (options: ProviderOptions, message: string): AppError =>
  options.issuerOnly ? issuerOnly() : conflict(message)

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

/** Mounts the calls of every other way to sign in, which refuse whatever they are sent. */
export function refuseOtherSignIns(app: FastifyInstance): void {
  for (const [name, call] of Object.entries(REFUSED)) {
    app.route({
      ...routeOf(name, call),
      onRequest: async () => {
        throw issuerOnly()
      },
      handler: () => undefined,
    })
  }
}
