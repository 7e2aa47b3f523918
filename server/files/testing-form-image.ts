import type { Entry } from '#contract/entries.ts'
import { testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { sendForm } from '#server/testing/form.ts'
import { sweepFiles } from './sweep.ts'
import { picture } from './testing.ts'

export const fields = { title: 'First boards', content: 'They smell of summer.', tags: '[]' }

export type Illustrated = Entry & Required<Pick<Entry, 'imageURL' | 'image'>>
export type Fixture = { projectId: string; milestoneId: string; entry: Illustrated }

const entryUrl = ({ milestoneId, entry }: Fixture) => `/api/milestones/${milestoneId}/entries/${entry._id}`

/** The API with a user who creates entries with an image, by multipart forms like a browser. */
export async function imageFixture() {
  const t = await testApp()
  const owner = await t.person()
  const png = await picture(1_200, 80).png().toBuffer()
  const thumbnail = await picture(40, 30).png().toBuffer()
  const get = (url: string, headers: Record<string, string> = {}) => t.app.inject({ url, headers })
  return {
    t,
    owner,
    /** Large enough to have two sizes. */
    png,
    get,
    statusOf: async (url: string) => (await get(url)).statusCode,

    illustrated: async ({ isPublic = false, bytes = thumbnail } = {}): Promise<Fixture> => {
      const { _id: projectId } = await t.project(owner, { isPublic })
      const { _id: milestoneId } = await t.milestone(owner, projectId)
      const url = `/api/milestones/${milestoneId}/entries`
      const response = await sendForm(t.app, { url, as: owner, fields, image: { bytes } })
      if (response.statusCode !== 201) throw new Error(response.body)
      return { projectId, milestoneId, entry: response.json() }
    },

    change: (fixture: Fixture, form: Partial<Parameters<typeof sendForm>[1]> = {}) =>
      sendForm(t.app, { method: 'PUT', url: entryUrl(fixture), as: owner, fields, ...form }),

    readEntry: async (fixture: Fixture, as?: Person) =>
      (await t.app.inject({ url: entryUrl(fixture), headers: as?.headers ?? {} })).json<Illustrated>(),

    publish: (projectId: string, isPublic: boolean) =>
      t.call(
        'updateProject',
        { params: { projectId }, body: { title: 'x', description: 'y', isPublic } },
        { as: owner },
      ),

    /** Returns the number of stored pictures after the removal of those that nothing uses. */
    imagesKept: async (): Promise<number> => {
      await t.pool.query(`update files set unused_since = '-infinity' where unused_since is not null`)
      await sweepFiles(t.deps)
      return (await t.kept()).filter((name) => name.endsWith('-original')).length
    },
  }
}
