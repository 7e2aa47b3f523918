import { chown, lstat, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Place } from './place.ts'

/** Where the server listens: a Unix socket in a folder, or, on Windows, a port of this machine alone. */
export type Listening = { socketFolder: string; port: number } | { loopbackPort: number }

const PORT = 5432
const OWN_FOLDER = 'milepost-socket-'

/** The shortest limit among the systems for a socket's path is 104 bytes with its final zero. */
const LONGEST_SOCKET_PATH = 99

/**
 * Chooses where to listen: in the database's folder where its path is short and plain, else in a temporary
 * one. `former` is where a server listened that is gone; its place serves again while it is there, so that a
 * connection pool outlives a crash of the server.
 */
export async function chooseListening(place: Place, former: Listening | undefined): Promise<Listening> {
  if (process.platform === 'win32') return { loopbackPort: await freePort(former) }
  if (fits(place.home)) return { socketFolder: place.home, port: PORT }
  if (former && (await isOwnFolder(place, former))) return former
  const parent = fits(path.join(tmpdir(), `${OWN_FOLDER}123456`)) ? tmpdir() : '/tmp'
  const socketFolder = await mkdtemp(path.join(parent, OWN_FOLDER))
  if (place.user) await chown(socketFolder, place.user.uid, place.user.gid)
  return { socketFolder, port: PORT }
}

/** Removes the temporary folder of a server that was stopped. */
export async function discardListening(listening: Listening): Promise<void> {
  if (isTemporary(listening)) await rm(listening.socketFolder, { recursive: true, force: true })
}

function isTemporary(listening: Listening): listening is { socketFolder: string; port: number } {
  return 'socketFolder' in listening && path.basename(listening.socketFolder).startsWith(OWN_FOLDER)
}

async function isOwnFolder(place: Place, listening: Listening): Promise<boolean> {
  if (!isTemporary(listening)) return false
  const found = await lstat(listening.socketFolder).catch(() => undefined)
  const owner = place.user?.uid ?? process.getuid?.()
  return found !== undefined && found.isDirectory() && found.uid === owner && (found.mode & 0o077) === 0
}

function fits(folder: string): boolean {
  const socket = path.join(folder, `.s.PGSQL.${PORT}`)
  return Buffer.byteLength(socket) <= LONGEST_SOCKET_PATH && /^[\p{L}\p{N} ./_@+-]+$/u.test(folder)
}

function freePort(former: Listening | undefined): Promise<number> {
  const wanted = former && 'loopbackPort' in former ? former.loopbackPort : 0
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', (error) => (wanted === 0 ? reject(error) : resolve(freePort(undefined))))
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address ? address.port : wanted
      probe.close(() => resolve(port))
    })
  })
}
