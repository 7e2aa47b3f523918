import { errorOf, unreachable } from './api-error.ts'
import { callMetadata } from './call-metadata.ts'
import { urlOf, withToken } from './client.ts'

type SendBytesOptions = {
  /** Called with the share of the bytes that was sent, from 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

/**
 * Sends the bytes of a file with the session's token. Throws ApiError when they are refused, or the signal's reason. By
 * XMLHttpRequest, because fetch does not report how much of a request was sent.
 */
export async function sendBytes<T>(
  name: 'uploadFile',
  params: object,
  bytes: Blob,
  { onProgress, signal }: SendBytesOptions,
): Promise<T> {
  const { method, path } = callMetadata[name]
  const response = await withToken(
    (token) =>
      new Promise<Response>((resolve, reject) => {
        signal.throwIfAborted()
        const sending = new XMLHttpRequest()
        const abort = () => sending.abort()
        const fail = () => reject(signal.aborted ? signal.reason : unreachable(new Error('no response')))
        sending.open(method, urlOf({ path }, { params }))
        sending.setRequestHeader('accept', 'application/json')
        sending.setRequestHeader('content-type', 'application/octet-stream')
        if (token !== null) sending.setRequestHeader('authorization', `Bearer ${token}`)
        sending.upload.addEventListener(
          'progress',
          ({ loaded, total }) => total > 0 && onProgress(loaded / total),
        )
        sending.addEventListener('load', () =>
          resolve(new Response(sending.responseText, { status: sending.status })),
        )
        sending.addEventListener('error', fail)
        sending.addEventListener('abort', fail)
        sending.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
        signal.addEventListener('abort', abort)
        sending.send(bytes)
      }),
  )
  if (!response.ok) throw await errorOf(response)
  return (await response.json()) as T
}
