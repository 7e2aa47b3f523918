import { createServer } from 'node:http'

/** Answers every request with the same bytes and headers, which it is sent as its first message: what node:http costs. */
process.once('message', ({ status, headers, body }: { status: number; headers: string[]; body: string }) => {
  const bytes = Buffer.from(body, 'base64')
  const server = createServer((_request, response) => {
    response.writeHead(status, headers)
    response.end(status === 304 ? undefined : bytes)
  })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
})
