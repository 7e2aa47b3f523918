import type { ProjectFile } from '#contract/files.ts'
import type { TestApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

type Sent = { name?: string; type?: string; bytes: Uint8Array }

/** Sends files as a browser does: reserved in a project, then the bytes of each. */
export function uploader(t: TestApp) {
  const reserve = (as: Person, projectId: string, files: { name: string; size: number; type?: string }[]) =>
    t.call('reserveFiles', { params: { projectId }, body: { files } }, { as })

  const put = (as: Person, fileId: string, bytes: Uint8Array, headers: Record<string, string> = {}) =>
    t.app.inject({
      method: 'PUT',
      url: `/api/files/${fileId}/content`,
      headers: { ...as.headers, 'content-type': 'application/octet-stream', ...headers },
      payload: Buffer.from(bytes),
    })

  /** Reserves a file and sends its bytes; the response to these. */
  const send = async (as: Person, projectId: string, { name = 'boards.jpg', type = '', bytes }: Sent) => {
    const [file] = await reserve(as, projectId, [{ name, type, size: bytes.length }])
    if (!file) throw new Error('no file was reserved')
    return put(as, file._id, bytes)
  }

  const upload = async (as: Person, projectId: string, sent: Sent): Promise<ProjectFile> => {
    const response = await send(as, projectId, sent)
    if (response.statusCode !== 200) throw new Error(response.body)
    return response.json<ProjectFile>()
  }

  return { reserve, put, send, upload }
}
