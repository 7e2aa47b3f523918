import type { Feature } from '#server/feature.ts'
import { coverRoute } from './cover-route.ts'
import { openInvitationEmails } from './emails.ts'
import { readNotifiedTokens } from './invitation-links.ts'
import { forgetInvitations } from './invitation-store.ts'
import { exportMembers } from './members.ts'
import { collaboratorRoutes } from './routes.ts'

export const collaboratorFeature: Feature = {
  name: 'collaborators',
  routes({ api, serve, deps, options }) {
    collaboratorRoutes(serve, deps, options)
    coverRoute(api, deps)
  },
  emailQueues: {
    invitations: { open: openInvitationEmails, limited: 'invitation emails' },
  },
  exportProject: exportMembers,
  forget: async (trx, { userId, ownEmails }) => {
    for (const email of ownEmails) await forgetInvitations(trx, { userId, ...email })
  },
  invitationTokens: readNotifiedTokens,
  tables: {
    collaborators: { exported: 'projects.members', forgotten: 'anonymize', trash: 'parent' },
    invitation_notices: { exported: { not: 'hashes of tokens' }, forgotten: 'cascade', trash: 'parent' },
    invitations_made: { exported: { not: 'counts for a limit' }, forgotten: 'cascade' },
  },
}
