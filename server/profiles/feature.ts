import type { Feature } from '#server/feature.ts'
import { profilePages } from './pages.ts'
import { changeProfile, readProfile } from './service.ts'
import { retireNames } from './store.ts'

export const profileFeature: Feature = {
  name: 'profiles',
  routes: ({ serve, deps }) => {
    serve('readProfile', ({ caller }) => readProfile(deps, caller))
    serve('changeProfile', ({ caller, body }) => changeProfile(deps, caller, body))
  },
  pages: profilePages,
  exportAccount: async (deps, caller) => ({ page: await readProfile(deps, caller) }),
  forget: (trx, { userId }) => retireNames(trx, userId),
  tables: {
    profile_names: { exported: 'page', forgotten: 'cascade' },
    profiles: { exported: 'page', forgotten: 'cascade' },
    retired_profile_names: { exported: { not: 'digests that belong to nobody' }, forgotten: 'nobody' },
  },
}
