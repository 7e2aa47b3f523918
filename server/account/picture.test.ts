import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Account } from '#contract/account.ts'
import { bomb, picture } from '#server/files/testing.ts'
import { createQuotas } from '#server/quotas/quotas.ts'
import { defaultQuotas } from '#server/quotas/settings.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { sendForm } from '#server/testing/form.ts'

let t: TestApp
let photo: Buffer
beforeAll(async () => {
  t = await testApp()
  photo = await picture(600, 400).jpeg().toBuffer()
})
afterAll(() => t.close())

const upload = (as: Person | undefined, bytes: Uint8Array = photo, app = t.app) =>
  sendForm(app, { method: 'PUT', url: '/api/account/picture', as, fields: {}, image: { bytes } })

/** Uploads a picture and returns its URL. */
async function uploaded(as: Person): Promise<string> {
  const response = await upload(as)
  expect(response.statusCode).toBe(200)
  return response.json<Account>().photoURL ?? ''
}

const used = async (as: Person) => (await t.call('readAccount', {}, { as })).storage.used
const statusOf = async (url: string) => (await t.app.inject({ url })).statusCode

describe('the picture of a person', () => {
  it('is the upright central square as WebP, without any other data of the file', async () => {
    const ada = await t.person()
    const tagged = await picture(600, 400)
      .withExif({ IFD0: { Copyright: 'a secret place' } })
      .jpeg()
      .toBuffer()
    const response = await upload(ada, tagged)
    const { photoURL = '' } = response.json<Account>()
    expect(photoURL).toMatch(/^\/api\/media\/people\/[0-9a-f-]{36}$/)
    const sent = await t.app.inject({ url: photoURL })
    expect(sent.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=300',
      'content-security-policy': expect.stringContaining("default-src 'none'") as string,
    })
    const { format, width, height, exif } = await sharp(sent.rawPayload).metadata()
    expect({ format, width, height, exif }).toEqual({
      format: 'webp',
      width: 256,
      height: 256,
      exif: undefined,
    })
    expect(sent.rawPayload.includes('secret')).toBe(false)
    const { etag = '' } = sent.headers
    const again = await t.app.inject({ url: photoURL, headers: { 'if-none-match': etag } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect(await t.call('readMe', {}, { as: ada })).toMatchObject({ photoURL })
  })

  it('has a new URL when it changes, and none when it is removed; former URLs return 404', async () => {
    const ada = await t.person()
    const first = await uploaded(ada)
    const second = await uploaded(ada)
    expect(second).not.toBe(first)
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
    await t.call('removePicture', {}, { as: ada })
    await t.call('removePicture', {}, { as: ada })
    expect(await statusOf(second)).toBe(404)
    expect(await t.call('readMe', {}, { as: ada })).not.toHaveProperty('photoURL')
    for (const id of ['people', 'x', '0199dead-dead-7ead-8ead-deaddeaddead'])
      expect([id, await statusOf(`/api/media/people/${id}`)]).toEqual([id, 404])
  })

  it.each([
    ['a GIF', async () => picture(20, 20).gif().toBuffer()],
    ['an AVIF', async () => picture(20, 20).avif().toBuffer()],
    ['text', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['the mere beginning of a picture', async () => photo.subarray(0, 271)],
    [
      'what calls itself a PNG',
      async () => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), photo]),
    ],
  ])('is not %s', async (_what, bytes) => {
    const ada = await t.person()
    const response = await upload(ada, await bytes())
    expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([415, 'not_an_image'])
    expect(await used(ada)).toBe(0)
  })

  it('is refused if it is missing, or if its header declares too many pixels, before they are decoded', async () => {
    const ada = await t.person()
    const large = await upload(ada, bomb(30_000, 30_000, 1))
    expect([large.statusCode, large.json<{ code: string }>().code]).toEqual([413, 'too_large'])
    const none = await sendForm(t.app, { method: 'PUT', url: '/api/account/picture', as: ada, fields: {} })
    expect([none.statusCode, none.json()]).toEqual([
      400,
      expect.objectContaining({ issues: [{ path: 'image', message: 'Choose a picture' }] }),
    ])
    expect((await upload(undefined)).statusCode).toBe(401)
  })

  it('counts towards the quota once, even with four concurrent uploads', async () => {
    const ada = await t.person()
    const answers = await Promise.all(Array.from({ length: 4 }, () => upload(ada)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    const { photoURL = '' } = await t.call('readMe', {}, { as: ada })
    const { rawPayload } = await t.app.inject({ url: photoURL })
    expect(await used(ada)).toBe(rawPayload.length)
    await t.call('removePicture', {}, { as: ada })
    expect(await used(ada)).toBe(0)
  })

  it('is refused if the account is full, and the previous one remains', async () => {
    const quotas = createQuotas({
      ...defaultQuotas,
      accountQuota: 10,
      instanceQuota: undefined,
      clock: t.deps.clock,
    })
    const small = await t.replica({ quotas })
    const ada = await t.person()
    const response = await upload(ada, photo, small)
    expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([413, 'quota_exceeded'])
    expect(await used(ada)).toBe(0)
    await small.close()
  })
})

describe('where people are shown', () => {
  it('members, authors and editors are shown with their picture, others without', async () => {
    const [owner, plain] = [await t.person(), await t.person()]
    const project = await t.project(owner, { isPublic: true })
    const editor = await t.member(project._id, 'editor')
    const pictureURL = await uploaded(editor)
    const milestone = await t.milestone(owner, project._id)
    const entry = await t.entry(editor, milestone._id)
    const params = { milestoneId: milestone._id, entryId: entry._id }
    expect(entry.author).toMatchObject({ pictureURL })
    expect((await t.call('readEntry', { params }, { as: owner })).author).toMatchObject({ pictureURL })
    const saved = await t.call('updateEntry', { params, body: { content: 'Edited' } }, { as: owner })
    expect(saved.author).toMatchObject({ pictureURL })
    const others = await t.entry(owner, milestone._id)
    expect(others.author).not.toHaveProperty('pictureURL')

    const { projectId } = { projectId: project._id }
    const members = await t.call('listCollaborators', { params: { projectId } }, { as: owner })
    expect(members.map(({ invitee }) => invitee)).toMatchObject([{ pictureURL }])
    await t.call('keepEditing', { params }, { as: editor })
    const { editors } = await t.call('keepEditing', { params }, { as: owner })
    expect(editors).toMatchObject([{ pictureURL }])

    const page = await t.call('readWorldEntry', { params: { projectId, entryId: entry._id } })
    expect(page.entry.author).toMatchObject({ pictureURL })
    expect(JSON.stringify(page)).not.toContain(plain.userId)
  })

  it('a changed picture changes the public pages that show its person', async () => {
    const [ada, bo] = [await t.person(), await t.person()]
    const [hers, his] = [await t.project(ada, { isPublic: true }), await t.project(bo, { isPublic: true })]
    await t.entry(ada, (await t.milestone(ada, hers._id))._id)
    await t.entry(bo, (await t.milestone(bo, his._id))._id)
    const revisions = async () => {
      const { rows } = await t.pool.query<{ revision: number }>(
        'select revision from projects where id = any($1) order by id',
        [[hers._id, his._id]],
      )
      return rows.map(({ revision }) => revision)
    }
    const [first = 0, second = 0] = await revisions()
    await uploaded(ada)
    expect(await revisions()).toEqual([first + 1, second])
    await t.call('removePicture', {}, { as: ada })
    expect(await revisions()).toEqual([first + 2, second])
  })
})
