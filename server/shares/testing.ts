import type { FastifyInstance } from 'fastify'
import type { ShareLinkFields } from '#contract/shares.ts'
import { picture } from '#server/files/testing.ts'
import type { TestApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { sendForm } from '#server/testing/form.ts'

type Written = { title: string; happenedOn: string; state?: 'draft' | 'scheduled' | 'published' }

/** Writes an entry with a picture. */
export async function writeWithPicture(
  { app }: TestApp,
  as: Person,
  milestoneId: string,
  { title, happenedOn, state = 'published' }: Written,
) {
  const form = await sendForm(app, {
    url: `/api/milestones/${milestoneId}/entries`,
    as,
    fields: {
      title,
      content: `Text of ${title}`,
      tags: '["wood"]',
      happenedOn,
      state,
      ...(state === 'scheduled' && { publishAt: new Date(Date.now() + 3_600_000).toISOString() }),
    },
    image: { bytes: await picture(40, 30).png().toBuffer() },
  })
  return form.json<{ _id: string; imageURL: string }>()
}

/** Creates a link, and returns it with the path of its address. */
export async function linkOf(
  { call }: TestApp,
  as: Person,
  projectId: string,
  fields: Partial<ShareLinkFields> = {},
) {
  const body = { name: 'Grandma', ...fields }
  const { link, url } = await call('createShareLink', { params: { projectId }, body }, { as })
  return { ...link, path: new URL(url ?? '').pathname }
}

const cookieOf = (setCookie: unknown) => String(setCookie).split(';')[0] ?? ''

/** A browser that opens a link, without the cookies of others. */
export async function browserAt(app: FastifyInstance, path: string) {
  const answer = await app.inject({ url: path })
  let cookie = cookieOf(answer.headers['set-cookie'])
  return {
    answer,
    home: String(answer.headers.location),
    get: (url: string, from = app, headers: Record<string, string> = {}) =>
      from.inject({ url, headers: { cookie, ...headers } }),
    async enter(url: string, password: string, remoteAddress = '127.0.0.1') {
      const entered = await app.inject({
        remoteAddress,
        method: 'POST',
        url: `${url}/open`,
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams({ password }).toString(),
      })
      if (entered.headers['set-cookie']) cookie = cookieOf(entered.headers['set-cookie'])
      return entered
    },
  }
}

/** Returns the URLs of the files that a page of a link shows. */
export const picturesIn = (html: string) => [
  ...new Set(Array.from(html.matchAll(/\/world\/[\w-]+\/media\/[\w-]+\/\w+/g), ([url]) => url)),
]
