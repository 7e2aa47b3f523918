import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { BucketSettings } from '#server/settings.ts'

/** An error response: a status and, unless there is no body, the name of an S3 error. */
type Refusal = { status: number; code?: string }

/** An S3-compatible server in memory whose responses can be refusals. */
export async function narrowBucket() {
  const objects = new Map<string, Buffer>()
  const answers: {
    /** For a missing object. */
    missing: Refusal
    /** For every request of these methods. */
    refused: { [method: string]: Refusal }
  } = { missing: { status: 404, code: 'NoSuchKey' }, refused: {} }
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { method = '', url = '' } = request
    const key = decodeURIComponent(url.split('?')[0] ?? '').replace(/^\/[^/]+\//, '')
    const body = await buffer(request)
    const refuse = ({ status, code }: Refusal) => {
      response.writeHead(status, { 'content-type': 'application/xml' })
      response.end(
        code && `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
      )
    }
    const refused = answers.refused[method]
    if (refused) return refuse(refused)
    if (method === 'PUT') objects.set(key, body)
    if (method === 'DELETE') objects.delete(key)
    if (method !== 'GET') return response.writeHead(method === 'PUT' ? 200 : 204).end()
    const found = objects.get(key)
    if (!found) return refuse(answers.missing)
    return response.writeHead(200, { 'content-length': found.length }).end(found)
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const settings: BucketSettings = {
    name: 'milepost-narrow',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    accessKey: { id: 'ID', secret: 'SECRET' },
    pathStyle: true,
  }
  return {
    settings,
    objects,
    answers,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
