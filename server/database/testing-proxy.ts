import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'
import { Client, type PoolConfig } from 'pg'

/** Faults of the connection to the database. */
type Fault =
  | 'none'
  /** Forwards nothing in either direction, like a stopped process. */
  | 'frozen'
  /** Accepts connections and ends them immediately, like a load balancer without a primary. */
  | 'nobody'
  /** Executes the next COMMIT, and closes its connection before the response. */
  | 'lost-answer'
  /** Breaks the connection before the next COMMIT is forwarded. */
  | 'lost-commit'
  /** Drops notifications. In transaction mode, a pooler sends them to the current user of the connection. */
  | 'transaction-mode'
  /** Refuses the startup parameters of connections, as pgbouncer does by default. */
  | 'strict'

export type DatabaseProxy = {
  /** Connects to the database through the proxy. */
  config: PoolConfig
  /** Sets the fault until the next call. Faults of a COMMIT occur once, after `passing` other commits. */
  fault: (fault: Fault, options?: { passing: number }) => void
  close: () => Promise<void>
}

const NOTIFICATION = 0x41
const COMMIT = Buffer.from('commit\0')

/** Starts a proxy in front of a database that simulates failures of networks, servers and poolers. */
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

/** Splits a stream into protocol messages: a letter, the length of the rest, the rest. */
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

/** Returns the error message of pgbouncer 1.18. */
function rejectStartup(): Buffer {
  const fields = ['SFATAL', 'C08P01', 'Munsupported startup parameter: statement_timeout', '', '']
  const text = Buffer.from(fields.join('\0'))
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(text.length + 4, 1)
  return Buffer.concat([head, text])
}
