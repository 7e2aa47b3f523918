import path from 'node:path'
import type { BucketSettings, Settings } from '#server/settings.ts'
import type { Files } from './files.ts'
import { openFolder } from './folder.ts'

/** Opens the configured bucket, or a folder in the data directory. Throws CannotStart if that is unusable; `warn` is told what it lacks. */
export async function openFiles(
  { bucket, dataDir }: Pick<Settings, 'bucket' | 'dataDir'>,
  warn?: (sentence: string) => void,
): Promise<Files> {
  return bucket ? openBucketOf(bucket, warn) : openFolder(path.join(dataDir, 'files'))
}

/** The S3 client is only loaded if it is used. */
async function openBucketOf(settings: BucketSettings, warn?: (sentence: string) => void): Promise<Files> {
  const { openBucket } = await import('./bucket.ts')
  return openBucket(settings, undefined, warn)
}
