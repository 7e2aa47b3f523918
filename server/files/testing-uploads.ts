import type { ProjectFile } from '#contract/files.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { picture } from './testing.ts'

type Sent = { name?: string; type?: string; bytes: Uint8Array }

/** Uploads files like a browser: reserves them in a project, then sends the bytes of each. */
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

  /** Reserves a file and sends its bytes; returns the second response. */
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

/** The API with a user who shows pictures in entries. */
export async function fileFixture() {
  const t = await testApp()
  const owner = await t.person()
  return {
    t,
    owner,
    files: uploader(t),
    jpeg: await picture(60, 40).jpeg().toBuffer(),
    /** Wide enough to be stored in three widths, and low, because each is a picture to compress. */
    photograph: await picture(1_200, 80).jpeg().toBuffer(),

    newMilestone: async ({ isPublic = false, as = owner } = {}) => {
      const { _id: projectId } = await t.project(as, { isPublic })
      const { _id: milestoneId } = await t.milestone(as, projectId)
      return { projectId, milestoneId }
    },

    read: (milestoneId: string, entryId: string, as?: Person) =>
      t.call('readEntry', { params: { milestoneId, entryId } }, { as }),

    statusOf: async (url = '') => (await t.app.inject(url.replaceAll('&amp;', '&'))).statusCode,

    /** Returns the entries that use a file. */
    usesOf: async (file: ProjectFile) => {
      const { rows } = await t.pool.query('select entry_id from file_uses where file_id = $1', [file._id])
      return rows.map(({ entry_id }) => entry_id)
    },

    projectOf: async (file: ProjectFile) =>
      (await t.pool.query('select project_id from files where id = $1', [file._id])).rows[0].project_id,
  }
}

/** Returns a text that shows a file as a picture. */
export const shown = (file: ProjectFile) => `Look:\n\n![The boards](${file.url} "In June")`

/** Returns the URL of the first picture that an entry shows. */
export const sourceIn = (html: string) => /<img src="(\/api\/media[^"]+)"/.exec(html)?.[1]
