import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import type { Calls } from '#contract/calls.ts'
import type { CallInput } from '#contract/parts/call.ts'
import type { TestApp } from '#server/testing/app.ts'
import type { Sender } from '#server/testing/client.ts'

/** Returns the files of an archive by path, in order. */
export async function unzipped(archive: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const zip = await fromBufferPromise(archive, { lazyEntries: true, strictFileNames: true })
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return files
}

type Asked = CallInput<Calls['prepareExport']>['body']

/** Downloads an export like a browser. */
export async function exported(t: TestApp, as: Sender, body: Asked = {}) {
  const { url } = await t.call('prepareExport', { body }, { as })
  const { statusCode, headers, rawPayload } = await t.app.inject(url)
  if (statusCode !== 200) throw new Error(`the download answered ${statusCode}: ${rawPayload.toString()}`)
  return { headers, bytes: rawPayload }
}
