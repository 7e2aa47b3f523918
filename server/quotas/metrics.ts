import type { AppDeps } from '#server/deps.ts'
import type { Metrics } from '#server/platform/metrics/metrics.ts'
import type { Total } from './quotas.ts'

/** Shows operators what all accounts store. Where the database does not answer, the other metrics are shown all the same. */
export function measureStorage(
  metrics: Metrics,
  { db, quotas, log }: Pick<AppDeps, 'db' | 'quotas' | 'log'>,
): void {
  const reading = (kind: keyof Total) => async () => {
    try {
      return (await quotas.readTotal(db))[kind]
    } catch (error) {
      log.warn({ err: error }, 'the storage in use could not be measured')
      return Number.NaN
    }
  }
  metrics.reads('milepost_stored_text_bytes', 'Text that all accounts store', reading('text'))
  metrics.reads('milepost_stored_file_bytes', 'Images that all accounts store', reading('files'))
}
