import type { ProjectFile } from '#contract/files.ts'
import { sizeText } from '#contract/parts/sizes.ts'
import { ApiError, errorOf } from '#web/api/api-error.ts'

/**
 * Returns the stored file from the response to an upload. Throws ApiError; if not Milepost but something on the way to it
 * responded (a proxy, the sign-in page of a network), the message says so, and the file may be sent again.
 */
export async function uploadedFile(response: Response, id: string, size: number): Promise<ProjectFile> {
  if (!response.ok) throw await refusal(response, size)
  const body: unknown = await response.json().catch(() => null)
  if (isReady(body, id)) return body
  throw new ApiError(
    0,
    'unavailable',
    'Something else responded in place of Milepost, such as the sign-in page of a network, or the response was cut off. The file is sent again soon.',
  )
}

function isReady(body: unknown, id: string): body is ProjectFile {
  if (typeof body !== 'object' || body === null || !('_id' in body) || !('state' in body)) return false
  return body._id === id && body.state === 'ready'
}

async function refusal(response: Response, size: number): Promise<ApiError> {
  const { status } = response
  const error = await errorOf(response)
  if (error.isFromServer || status === 401) return error
  if (status === 413)
    return new ApiError(
      status,
      'too_large',
      `A proxy in front of Milepost lets no file of ${sizeText(size)} through; Milepost itself allows it. Its operator can raise the proxy’s limit (in nginx, client_max_body_size). Then try again: the file is kept in this browser.`,
    )
  if (status >= 500 || status === 408 || status === 429)
    return new ApiError(
      status,
      'unavailable',
      `A proxy in front of Milepost responded with an error (${status}). The file is kept, and sent again soon.`,
    )
  return new ApiError(
    status,
    'invalid',
    `A proxy or firewall in front of Milepost refused the file (${status}). It is kept in this browser, so that you can try again.`,
  )
}
