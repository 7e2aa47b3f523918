import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a port of this machine that can be shut: then what goes through breaks, and nothing more comes in. */
export async function openGate(port: number) {
  const passing = new Set<Socket>()
  const gate = createServer((from) => {
    const to = connect(port, '127.0.0.1')
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const) {
      passing.add(socket)
      socket.on('close', () => {
        passing.delete(socket)
        other.destroy()
      })
      socket.on('error', () => other.destroy()) // one end is gone, so the other goes
    }
    from.pipe(to).pipe(from)
  })
  const open = async (at: number) => {
    gate.listen(at, '127.0.0.1')
    await once(gate, 'listening')
    return (gate.address() as AddressInfo).port
  }
  const own = await open(0)
  return {
    port: own,
    open: () => open(own),
    async shut() {
      const closed = once(gate, 'close')
      gate.close()
      for (const socket of passing) socket.destroy()
      await closed
    },
  }
}
