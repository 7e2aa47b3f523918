import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import { deleteFile, listFiles, reserveFiles } from './service.ts'
import { uploadFile } from './upload.ts'

export function fileRoutes(serve: Serve, deps: AppDeps): void {
  serve('reserveFiles', ({ caller, params, body, change }) =>
    reserveFiles(deps, caller, params.projectId, body, change),
  )
  serve('uploadFile', ({ caller, params, bytes }) => uploadFile(deps, caller, params.fileId, bytes))
  serve('listFiles', ({ caller, params, query }) => listFiles(deps, caller, params.projectId, query.ids))
  serve('deleteFile', ({ caller, params }) => deleteFile(deps, caller, params.fileId))
}
