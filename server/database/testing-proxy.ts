import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'
import { Client, type PoolConfig } from 'pg'

/** The faults of the connection to the database. */
type Fault =
  | 'none'
  /** Nothing passes in either direction, as with a process that was stopped. */
  | 'frozen'
  /** Connections are accepted and ended at once, as by a load balancer without a primary. */
  | 'nobody'
  /** The next COMMIT is executed, and its connection closed before the response. */
  | 'lost-answer'
  /** The connection is broken before the next COMMIT passes. */
  | 'lost-commit'
  /** Notifications do not pass: in transaction mode, a pooler hands them to whichever client has the connection then. */
  | 'transaction-mode'
  /** Refuses what a connection asks for at its begin, as pgbouncer does by default. */
  | 'strict'

export type DatabaseProxy = {
  /** Leads to the database through the proxy. */
  config: PoolConfig
  /** A fault holds until the next one is set; those of a COMMIT hold once, after `passing` others. */
  fault: (fault: Fault, options?: { passing: number }) => void
  close: () => Promise<void>
}

const NOTIFICATION = 0x41
const COMMIT = Buffer.from('commit\0')

/** A way to the database of these settings that can fail as networks, servers and poolers do. */
export async function databaseProxy(to: PoolConfig): Promise<DatabaseProxy> {
  const { host, port, user, password, database } = new Client(to)
  const address = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  const sockets = new Set<Socket>()
  let fault: Fault = 'none'
  let passing = 0

  const server = createServer((client) => {
    if (fault === 'nobody') return client.destroy()
    const upstream = dial(address)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      if (fault === 'frozen') socket.pause()
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    client.on('data', (sent: Buffer) => {
      if (fault === 'strict') return client.end(rejectStartup())
      const isOurs = fault === 'lost-answer' || fault === 'lost-commit'
      if (isOurs && sent.includes(COMMIT) && passing-- === 0) {
        if (fault === 'lost-commit') client.destroy()
        else upstream.removeAllListeners('data').once('data', () => client.destroy())
        fault = 'none'
        if (client.destroyed) return undefined
      }
      return upstream.write(sent)
    })
    const pass = messagesOf((message) => {
      if (fault !== 'transaction-mode' || message[0] !== NOTIFICATION) client.write(message)
    })
    return upstream.on('data', pass)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: ours } = server.address() as { port: number }

  return {
    config: { host: '127.0.0.1', port: ours, user, password: password ?? undefined, database },
    fault(next, options = { passing: 0 }) {
      fault = next
      passing = options.passing
      for (const socket of sockets) {
        if (next === 'frozen') socket.pause()
        else socket.resume()
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Cuts a stream into messages of the protocol: a letter, the length of the rest, the rest. */
function messagesOf(pass: (message: Buffer) => void): (bytes: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0)
  return (bytes) => {
    pending = Buffer.concat([pending, bytes])
    while (pending.length >= 5) {
      const length = 1 + pending.readInt32BE(1)
      if (pending.length < length) return
      pass(pending.subarray(0, length))
      pending = pending.subarray(length)
    }
  }
}

/** What pgbouncer 1.18 sends. */
function rejectStartup(): Buffer {
  const fields = ['SFATAL', 'C08P01', 'Munsupported startup parameter: statement_timeout', '', '']
  const text = Buffer.from(fields.join('\0'))
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(text.length + 4, 1)
  return Buffer.concat([head, text])
}
