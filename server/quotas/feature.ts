import type { Feature } from '#server/feature.ts'
import { measureStorage } from './quotas.ts'

export const quotaFeature: Feature = {
  name: 'quotas',
  gauges: measureStorage,
  tables: {
    storage_usage: { exported: { not: 'counts for a limit' }, forgotten: 'cascade' },
    call_limits: { exported: { not: 'counts for a limit, for an hour' }, forgotten: 'expire' },
  },
  functions: ['own_text_counted', 'settled_usage'],
}
