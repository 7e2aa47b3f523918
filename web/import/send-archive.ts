import { IMPORT_PART_MAX, type ImportRecord } from '#contract/imports.ts'
import { ApiError, errorOf } from '#web/api/api-error.ts'
import { request } from '#web/api/client.ts'
import { sendBytes } from '#web/files/page-uploads.ts'

/** Pauses between attempts to send a part. */
const PAUSES_MS = [1_000, 3_000, 10_000, 30_000]

/** Begins the import of a file, or finds the one whose upload was interrupted. */
export const beginImport = ({ name, size, lastModified }: File): Promise<ImportRecord> =>
  request('createImport', { body: { name, size, fingerprint: String(lastModified) } })

type Sending = { onProgress: (share: number) => void; signal: AbortSignal }

/** Sends what the server does not have of a file yet. A part whose connection breaks is sent again. Throws ApiError. */
export async function sendArchive(begun: ImportRecord, file: File, sending: Sending): Promise<ImportRecord> {
  let current = begun
  while (current.state === 'uploading' && current.received < file.size)
    current = await sendPart(current, file, sending)
  return current
}

async function sendPart(
  { _id: importId, received }: ImportRecord,
  file: File,
  { onProgress, signal }: Sending,
) {
  const part = file.slice(received, received + IMPORT_PART_MAX)
  const onPart = (share: number) => onProgress((received + share * part.size) / file.size)
  for (let attempt = 0; ; attempt += 1) {
    try {
      const params = { importId, offset: String(received) }
      const response = await sendBytes('sendImportPart', params, part, { onProgress: onPart, signal })
      if (!response.ok) throw await errorOf(response)
      return (await response.json()) as ImportRecord
    } catch (error) {
      const pause = PAUSES_MS[attempt]
      if (pause === undefined || signal.aborted || !isPassing(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}

const isPassing = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
