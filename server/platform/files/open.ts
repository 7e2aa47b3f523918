import path from 'node:path'
import type { BucketSettings, Settings } from '#server/settings.ts'
import type { Files } from './files.ts'
import { openFolder } from './folder.ts'

/** Opens the bucket of the settings, else the folder under the data folder. Throws CannotStart where it is of no use. */
export async function openFiles({ bucket, dataDir }: Pick<Settings, 'bucket' | 'dataDir'>): Promise<Files> {
  return bucket ? openBucketOf(bucket) : openFolder(path.join(dataDir, 'files'))
}

/** The client of S3 is loaded by those who use it alone. */
async function openBucketOf(settings: BucketSettings): Promise<Files> {
  const { openBucket } = await import('./bucket.ts')
  return openBucket(settings)
}
