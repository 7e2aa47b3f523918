import type { Feature } from '#server/feature.ts'
import { changeAddress, exportAddress, readAddress } from './service.ts'

export const addressFeature: Feature = {
  name: 'addresses',
  routes: ({ serve, deps }) => {
    serve('readAddress', ({ caller, params }) => readAddress(deps, caller, params.projectId))
    serve('changeAddress', ({ caller, params, body }) =>
      changeAddress(deps, caller, params.projectId, body.slug),
    )
  },
  exportProject: exportAddress,
  tables: {
    project_slugs: { exported: 'projects.address', forgotten: 'cascade', trash: 'parent' },
  },
}
