import { OWN_AUTHORIZATION } from '#contract/authorization-header.ts'
import { unreachable } from '#web/api/api-error.ts'
import { callMetadata } from '#web/api/call-metadata.ts'
import { urlOf, withToken } from '#web/api/client.ts'
import { newId } from '#web/api/ids.ts'
import { change } from '#web/saving/change.ts'
import { announceUploads } from './pending.ts'
import type { Transport } from './upload.ts'
import { UploadQueue } from './upload-queue.ts'
import { uploadedFile } from './upload-response.ts'
import { createUploadStore } from './upload-store.ts'

const transport: Transport = {
  async reserve(projectId, files) {
    const described = files.map((file) => ({ _id: idOfFile(file), ...describe(file) }))
    const input = { params: { projectId }, body: { files: described } }
    const reserved = await change('reserveFiles', input, { isBrief: true })
    for (const file of files) ids.delete(file)
    return reserved
  },
  send: async (fileId, bytes, options) =>
    uploadedFile(await sendBytes('uploadFile', { fileId }, bytes, options), fileId, bytes.size),
  remove: async (fileId) => {
    await change('deleteFile', { params: { fileId } })
  },
}

const describe = ({ name, size, type }: File) => ({ name, size, type })

/** The ids of the files that are being reserved: if the response is lost, they are reserved again, and count once. */
const ids = new WeakMap<File, string>()

function idOfFile(file: File): string {
  const id = ids.get(file) ?? newId()
  ids.set(file, id)
  return id
}

let current: { userId: string; queue: UploadQueue } | undefined

/** Returns the upload queue of the signed-in person in this page. The first call resumes the uploads of earlier pages. */
export function uploadsOf(userId: string): UploadQueue {
  if (current?.userId === userId) return current.queue
  current?.queue.stop()
  const queue = new UploadQueue({ userId, transport, store: createUploadStore(), claim })
  current = { userId, queue }
  addEventListener('online', () => queue.retry())
  addEventListener('beforeunload', (event) => {
    if (current?.queue === queue && queue.wouldLose) event.preventDefault()
  })
  void queue.resume()
  announceUploads()
  return queue
}

/** Stops the uploads of this page when the session ends; after signing out it also removes unsent files. */
export async function endUploads(userId: string, isForgotten: boolean): Promise<number> {
  const queue = current?.userId === userId ? current.queue : undefined
  current = undefined
  if (!isForgotten) {
    queue?.stop()
    return 0
  }
  if (queue) return queue.clear()
  await createUploadStore().clear()
  return 0
}

/**
 * Resolves when no other tab holds the lock of the file, and holds it until the signal. Without the Web Locks API (plain http on
 * a host other than localhost) two tabs may send the same file, which the server accepts twice.
 */
function claim(id: string, signal: AbortSignal): Promise<void> {
  const locks = (navigator as Partial<Navigator>).locks
  if (!locks) return Promise.resolve()
  return new Promise((resolve) => {
    locks
      .request(`milepost-upload-${id}`, { signal }, async () => {
        resolve()
        await new Promise((free) => signal.addEventListener('abort', free))
      })
      .catch(() => resolve()) // it was discarded in the meantime
  })
}

/** The time without progress after which a connection counts as lost; the server takes at most half of it to inspect a file. */
const STALLED_MS = 300_000

type SendBytesOptions = {
  /** Called with the fraction of the bytes that was sent, from 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

/**
 * Sends the bytes of a file with the session's token. Throws ApiError without a response, or the signal's reason. Uses
 * XMLHttpRequest, because fetch does not report upload progress.
 */
export async function sendBytes(
  name: 'uploadFile' | 'sendImportPart',
  params: object,
  bytes: Blob,
  { onProgress, signal }: SendBytesOptions,
): Promise<Response> {
  const { method, path } = callMetadata[name]
  return withToken(
    (authorization) =>
      new Promise<Response>((resolve, reject) => {
        signal.throwIfAborted()
        const sending = new XMLHttpRequest()
        const abort = () => sending.abort()
        let stalled = setTimeout(abort, STALLED_MS)
        const fail = () => reject(signal.aborted ? signal.reason : unreachable(new Error('no response')))
        sending.open(method, urlOf({ path }, { params }))
        sending.setRequestHeader('accept', 'application/json')
        sending.setRequestHeader('content-type', 'application/octet-stream')
        for (const [name, value] of Object.entries(authorization)) sending.setRequestHeader(name, value)
        sending.upload.addEventListener('progress', ({ loaded, total }) => {
          clearTimeout(stalled)
          stalled = setTimeout(abort, STALLED_MS)
          if (total > 0) onProgress(loaded / total)
        })
        sending.addEventListener('load', () =>
          resolve(
            new Response(hasBody(sending) ? sending.responseText : null, {
              status: sending.status,
              headers: headersOf(sending),
            }),
          ),
        )
        sending.addEventListener('error', fail)
        sending.addEventListener('abort', fail)
        sending.addEventListener('loadend', () => {
          clearTimeout(stalled)
          signal.removeEventListener('abort', abort)
        })
        signal.addEventListener('abort', abort)
        sending.send(bytes)
      }),
  )
}

/** Returns the response headers that tell a proxy's refusal from the server's. */
function headersOf(sending: XMLHttpRequest): Headers {
  const headers = new Headers()
  for (const name of ['content-type', 'www-authenticate', OWN_AUTHORIZATION]) {
    const value = sending.getResponseHeader(name)
    if (value !== null) headers.set(name, value)
  }
  return headers
}

/** A response must not be created with a body for a status without one. */
const hasBody = ({ status }: XMLHttpRequest) => ![204, 205, 304].includes(status)
