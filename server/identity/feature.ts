import type { Feature } from '#server/feature.ts'
import { identityRoutes } from './routes.ts'
import { identitySweep } from './sessions.ts'
import { deleteVerificationsOf } from './store.ts'

export const identityFeature: Feature = {
  name: 'identity',
  routes: ({ serve, deps }) => identityRoutes(serve, deps),
  tasks: (deps) => [identitySweep(deps)],
  // Links that somebody has not followed yet name the email for which they were sent.
  forget: async (trx, { ownEmails }) => {
    for (const { email } of ownEmails) await deleteVerificationsOf(trx, email)
  },
  tables: {
    sessions: { exported: 'sessions', forgotten: 'cascade' },
    'identity.user': { exported: 'account', forgotten: 'cascade' },
    'identity.session': { exported: { not: 'the sessions of Milepost are in it' }, forgotten: 'cascade' },
    'identity.account': { exported: { not: 'hashes of passwords' }, forgotten: 'cascade' },
    'identity.verification': { exported: { not: 'short-lived tokens' }, forgotten: 'anonymize' },
    'identity.jwks': { exported: { not: 'keys of the server' }, forgotten: 'nobody' },
    'identity.passkeys': { exported: { not: 'public keys, which the settings list' }, forgotten: 'cascade' },
    'identity.confirmations': { exported: { not: 'short-lived tokens' }, forgotten: 'cascade' },
    'identity.password_resets': { exported: { not: 'short-lived tokens' }, forgotten: 'anonymize' },
    'identity.email_change_links': { exported: { not: 'short-lived tokens' }, forgotten: 'cascade' },
    'identity.redeemed_round_trips': { exported: { not: 'hashes of redeemed tokens' }, forgotten: 'nobody' },
    'identity.two_factor': { exported: { not: 'a secret' }, forgotten: 'cascade' },
    'identity.recovery_codes': { exported: { not: 'hashes of secrets' }, forgotten: 'cascade' },
    'identity.second_steps': { exported: { not: 'short-lived tokens' }, forgotten: 'cascade' },
    'identity.devices': { exported: { not: 'hashes of cookies' }, forgotten: 'cascade' },
    'identity.rateLimit': { exported: { not: 'no longer exists' }, forgotten: 'nobody', backup: 'dropped' },
    'identity.attempts': { exported: { not: 'no longer exists' }, forgotten: 'nobody', backup: 'dropped' },
  },
  functions: ['tell_ended_session'],
}
