import type { Feature } from '#server/feature.ts'
import { activityRoutes } from './routes.ts'
import { exportActivity } from './service.ts'
import { forgetInvited } from './store.ts'

export const activityFeature: Feature = {
  name: 'activity',
  routes: ({ serve, deps }) => activityRoutes(serve, deps),
  exportProject: async (deps, caller, project) => ({ activity: exportActivity(deps, caller, project) }),
  forget: async (trx, { ownEmails }) => {
    for (const { email } of ownEmails) await forgetInvited(trx, email)
  },
  tables: {
    activity: { exported: 'projects.activity', forgotten: 'anonymize', trash: 'parent' },
  },
  functions: ['activity_kept', 'activity_person_deleted'],
}
