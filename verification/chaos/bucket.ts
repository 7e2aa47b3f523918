import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { picture } from '#server/files/testing.ts'
import { testBucket } from '#server/platform/storage/testing.ts'
import { createAccount } from '#testing/account.ts'
import { registerCleanup } from '#testing/cleanup.ts'
import { createJournal } from '#testing/journal.ts'
import { startServer } from '#testing/start-server.ts'
import { assert, assertStatus, assertUnavailable } from './assertions.ts'
import { countEntries, entryForm, postEntryForm } from './entry-form.ts'

const FILES_OF_AN_IMAGE = 2
const SWEEP_MS = 20_000

/**
 * Makes the bucket unavailable: texts are saved and read, images are refused without leftovers, and both work again
 * once it is back.
 */
export async function bucket(report: (text: string) => void): Promise<void> {
  const storage = await testBucket()
  const close = registerCleanup(storage.close)
  const proxy = await startProxy(Number(new URL(storage.settings.endpoint ?? '').port))
  const server = await startServer({
    S3_BUCKET: storage.settings.name,
    S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
    S3_PATH_STYLE: 'on',
    S3_ACCESS_KEY_ID: storage.settings.accessKey?.id ?? '',
    S3_SECRET_ACCESS_KEY: storage.settings.accessKey?.secret ?? '',
  })
  try {
    const account = await createAccount(server.url)
    const journal = await createJournal(account, [], { isPublic: true })
    const image = new Uint8Array(await picture(400, 300).png().toBuffer())
    const post = (form: FormData) => postEntryForm(server.url, account, journal, form)
    const shown = (await (await post(entryForm(image))).json()) as { imageURL: string }

    await proxy.close()
    await assertStatus(post(entryForm()), 201, 'text without the bucket')
    const storing = await assertUnavailable(post(entryForm(image)), 'an image without the bucket')
    await assertStatus(fetch(`${server.url}/world/${journal.projectId}`), 200, 'a page without the bucket')
    const reading = await assertUnavailable(
      fetch(new URL(shown.imageURL, server.url)),
      'reading an image without it',
    )
    assert((await countEntries(account, journal)) === 2, 'a refused entry is there')

    await proxy.open()
    await assertStatus(post(entryForm(image)), 201, 'an image once the bucket is back')
    await assertStatus(fetch(new URL(shown.imageURL, server.url)), 200, 'reading an image once it is back')
    await sleep(SWEEP_MS)
    const files = await storage.kept()
    assert(files.length === 2 * FILES_OF_AN_IMAGE, `the bucket holds ${files.length} files of two images`)
    report(
      `bucket gone: storing "${storing}", reading "${reading}"; texts and pages went on, nothing half stored`,
    )
  } finally {
    await server.stop()
    await proxy.close()
    await close()
  }
}

/** Starts a TCP proxy to a local port. Closing it breaks its connections and refuses new ones. */
async function startProxy(targetPort: number) {
  const sockets = new Set<Socket>()
  const proxy = createServer((from) => {
    const to = connect(targetPort, '127.0.0.1')
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(socket)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.on('error', () => other.destroy()) // closes the other end too
    }
    from.pipe(to).pipe(from)
  })
  const listen = async (port: number) => {
    proxy.listen(port, '127.0.0.1')
    await once(proxy, 'listening')
    return (proxy.address() as AddressInfo).port
  }
  const port = await listen(0)
  return {
    port,
    open: () => listen(port),
    async close() {
      const closed = once(proxy, 'close')
      proxy.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
