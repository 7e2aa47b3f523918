import type { Feature } from '#server/feature.ts'
import { anonymizeAuditLog, auditSweep } from './audit.ts'
import { openApprovalEmails, openServerInvitationEmails } from './emails.ts'
import { termsPages } from './pages.ts'
import { administrationRoutes } from './routes.ts'
import { serverInvitationSweep } from './server-invitations.ts'

export const administrationFeature: Feature = {
  name: 'administration',
  routes: ({ serve, deps, options }) => administrationRoutes(serve, deps, options),
  pages: termsPages,
  tasks: (deps) => [auditSweep(deps), serverInvitationSweep(deps)],
  emailQueues: {
    serverInvitations: {
      open: openServerInvitationEmails,
      limited: { not: 'only administrators invite to the server' },
    },
    approvals: { open: openApprovalEmails, limited: { not: 'an account is approved once' } },
  },
  forget: async (trx, { emails }) => {
    for (const email of emails) await anonymizeAuditLog(trx, email)
  },
  tables: {
    registration_settings: { exported: { not: 'of the server' }, forgotten: 'nobody' },
    instance_texts: { exported: { not: 'of the server' }, forgotten: 'nobody' },
    server_invitations: { exported: { not: 'of the server' }, forgotten: 'anonymize' },
    audit_log: { exported: { not: 'of the server' }, forgotten: 'anonymize' },
    last_backup: { exported: { not: 'of the server' }, forgotten: 'nobody' },
  },
  functions: ['audit_log_kept'],
}
