import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import S3rver from 's3rver'
import type { BucketSettings } from '#server/settings.ts'

const NAME = 'milepost-images'

/** An S3-compatible server with one empty bucket. */
export async function testBucket() {
  const folder = await mkdtemp(path.join(tmpdir(), 'milepost-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: NAME, configs: [] }],
  })
  const { port } = await server.run()
  const settings: BucketSettings = {
    name: NAME,
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    accessKey: { id: 'S3RVER', secret: 'S3RVER' },
    pathStyle: true,
  }
  return {
    settings,
    /** The names of the objects in the bucket. */
    kept: async () => {
      const found = await readdir(path.join(folder, NAME), { recursive: true })
      const objects = found.filter((name) => name.endsWith('._S3rver_object'))
      return objects.map((name) => path.basename(name, '._S3rver_object'))
    },
    close: async () => {
      await server.close()
      await rm(folder, { recursive: true })
    },
  }
}
