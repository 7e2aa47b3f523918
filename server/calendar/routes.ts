import type { AppDeps } from '#server/deps.ts'
import type { Serve } from '#server/platform/api/calls.ts'
import { listOnThisDay, updateOnThisDay } from './on-this-day.ts'
import { listDay, listDays, readNumbers } from './service.ts'

export function calendarRoutes(serve: Serve, deps: AppDeps): void {
  serve('listDays', ({ caller, query }) => listDays(deps, caller, query))
  serve('listDay', ({ caller, query }) => listDay(deps, caller, query))
  serve('readNumbers', ({ caller, query }) => readNumbers(deps, caller, query.project))
  serve('listOnThisDay', ({ caller, query }) => listOnThisDay(deps, caller, query.date))
  serve('updateOnThisDay', ({ caller, params, body }) =>
    updateOnThisDay(deps, caller, params.projectId, body),
  )
}
