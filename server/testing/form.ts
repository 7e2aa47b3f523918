import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Sender } from './client.ts'

export type Form = {
  method?: 'POST' | 'PUT'
  url: string
  as?: Sender | undefined
  headers?: Record<string, string>
  fields: Record<string, string>
  image?: { bytes: Uint8Array; name?: string; type?: string } | undefined
}

/** Sends a multipart form like a browser, with the file last. */
export async function sendForm(
  app: FastifyInstance,
  { method = 'POST', url, as, headers, fields, image }: Form,
): Promise<LightMyRequestResponse> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (image) {
    const { bytes, name = 'image.png', type = 'image/png' } = image
    form.append('image', new Blob([new Uint8Array(bytes)], { type }), name)
  }
  const request = new Request('http://localhost', { method, body: form })
  const payload = Buffer.from(await request.arrayBuffer())
  const contentType = request.headers.get('content-type') ?? ''
  return app.inject({
    method,
    url,
    payload,
    headers: { ...as?.headers, ...headers, 'content-type': contentType },
  })
}
