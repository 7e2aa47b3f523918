import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import {
  createImport,
  deleteImport,
  listImports,
  readImport,
  runImport,
  sendImportPart,
  undoImport,
} from './service.ts'

export function importRoutes(serve: Serve, deps: AppDeps): void {
  serve('createImport', ({ caller, body }) => createImport(deps, caller, body))
  serve('sendImportPart', ({ caller, params, bytes }) => sendImportPart(deps, caller, params, bytes))
  serve('listImports', ({ caller }) => listImports(deps, caller))
  serve('readImport', ({ caller, params }) => readImport(deps, caller, params.importId))
  serve('runImport', ({ caller, params, body }) => runImport(deps, caller, params.importId, body))
  serve('undoImport', ({ caller, params }) => undoImport(deps, caller, params.importId))
  serve('deleteImport', ({ caller, params }) => deleteImport(deps, caller, params.importId))
}
