import type { Feature } from '#server/feature.ts'
import { accountPurge } from './deletion.ts'
import { openLeavingEmails } from './leaving-emails.ts'
import { passkeyRoutes } from './passkeys.ts'
import { profilePictureRoutes } from './picture.ts'
import { proofRoutes } from './proofs.ts'
import { accountRoutes } from './routes.ts'
import { listSessions, readAccountOf } from './service.ts'

export const accountFeature: Feature = {
  name: 'account',
  routes: ({ api, serve, deps }) => {
    accountRoutes(serve, deps)
    passkeyRoutes(serve, deps)
    proofRoutes(serve, deps)
    profilePictureRoutes(api, deps)
    // Password managers look here: https://w3c.github.io/webappsec-change-password-url/
    api.get('/.well-known/change-password', { schema: { hide: true } }, (_request, reply) =>
      reply.redirect('/settings', 302),
    )
  },
  tasks: (deps) => [accountPurge(deps)],
  emailQueues: {
    leaving: { open: openLeavingEmails, limited: { not: 'only its owner deletes an account' } },
  },
  exportAccount: async (deps, caller) => ({
    account: await readAccountOf(deps, caller.userId),
    sessions: await listSessions(deps, caller),
  }),
  tables: {
    users: { exported: 'account', forgotten: 'cascade' },
    former_emails: { exported: { not: 'links by which an email can be reverted' }, forgotten: 'cascade' },
    profile_pictures: {
      exported: { not: 'a small copy of a picture that its owner has' },
      forgotten: 'cascade',
    },
  },
  functions: ['profile_picture_changed'],
}
