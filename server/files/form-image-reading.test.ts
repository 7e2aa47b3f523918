import { afterAll, describe, expect, it } from 'vitest'
import { imageFixture } from './testing-form-image.ts'

const HOUR = 3_600_000

const { t, owner, png, illustrated, readEntry, get, statusOf, publish } = await imageFixture()
afterAll(() => t.close())

describe('reading an image', () => {
  it('of a private project requires a personal URL of somebody who may view it', async () => {
    const fixture = await illustrated()
    const viewer = await t.member(fixture.projectId, 'viewer')
    const theirs = (await readEntry(fixture, viewer)).imageURL
    expect(theirs).not.toBe(fixture.entry.imageURL)
    expect(await statusOf(theirs)).toBe(200)
    expect(await statusOf(theirs.split('?', 1)[0] ?? '')).toBe(404)
  })

  it('is refused with a forged or copied signature', async () => {
    const { entry } = await illustrated()
    const other = await illustrated()
    const stranger = await t.person()
    const url = new URL(entry.imageURL, 'http://localhost')
    const altered = (name: string, value: string) => {
      const forged = new URL(url)
      forged.searchParams.set(name, value)
      return `${forged.pathname}${forged.search}`
    }
    expect(await statusOf(altered('reader', owner.userId))).toBe(200)
    expect(await statusOf(altered('reader', stranger.userId))).toBe(404)
    expect(await statusOf(altered('until', '99999999999'))).toBe(404)
    for (const proof of ['', 'AAAA', `${url.searchParams.get('proof')}A`.slice(1)])
      expect(await statusOf(altered('proof', proof))).toBe(404)
    const path = new URL(other.entry.imageURL, 'http://localhost').pathname
    expect(await statusOf(`${path}${url.search}`)).toBe(404)
  })

  it('is refused once the right to view is revoked, even before the URL expires', async () => {
    const fixture = await illustrated()
    const viewer = await t.member(fixture.projectId, 'viewer')
    const { imageURL } = await readEntry(fixture, viewer)
    expect(await statusOf(imageURL)).toBe(200)
    await t.deps.db.deleteFrom('collaborators').where('user_id', '=', viewer.userId).execute()
    expect(await statusOf(imageURL)).toBe(404)
    expect(await statusOf(fixture.entry.imageURL)).toBe(200)
  })

  it('is possible for an hour or slightly longer with one URL', async () => {
    const fixture = await illustrated()
    t.later(0.99 * HOUR)
    expect(await statusOf(fixture.entry.imageURL)).toBe(200)
    t.later(0.6 * HOUR)
    expect(await statusOf(fixture.entry.imageURL)).toBe(404)
    const viewer = await t.member(fixture.projectId, 'viewer')
    expect(await statusOf((await readEntry(fixture, viewer)).imageURL)).toBe(200)
    t.later(-1.59 * HOUR)
  })

  it('of a public project is open to everybody, but only while it is public', async () => {
    const fixture = await illustrated({ isPublic: true })
    const { imageURL } = await readEntry(fixture)
    expect(imageURL).toMatch(/^\/api\/media\/[0-9a-f-]{36}\/widest$/)
    const seen = await get(imageURL)
    expect([seen.statusCode, seen.headers['cache-control']]).toEqual([200, 'no-cache'])
    const again = await get(imageURL, { 'if-none-match': String(seen.headers.etag) })
    for (const { headers } of [seen, again]) {
      expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
    }

    await publish(fixture.projectId, false)
    const etag = String(seen.headers.etag)
    for (const headers of [{}, { 'if-none-match': etag }] as Record<string, string>[]) {
      const hidden = await get(imageURL, headers)
      expect([hidden.statusCode, hidden.headers['cache-control']]).toEqual([404, 'no-store'])
      expect(hidden.json().code).toBe('not_found')
    }
    const { imageURL: personal } = await readEntry(fixture, owner)
    await publish(fixture.projectId, true)
    expect(await statusOf(personal)).toBe(200)
    expect(await statusOf(imageURL)).toBe(200)
  })

  it('does not reveal whether a hidden image exists', async () => {
    const { entry } = await illustrated()
    const answer = async (url: string) => {
      const { statusCode, body } = await get(url)
      return { statusCode, body }
    }
    const hidden = await answer(entry.imageURL.split('?', 1)[0] ?? '')
    expect(await answer('/api/media/0199f1f0-0000-7000-8000-000000000000/widest')).toEqual(hidden)
    for (const path of ['x/full', '../../package.json', '%2e%2e/full', `${'0'.repeat(36)}/small`])
      expect(await statusOf(`/api/media/${path}`)).toBe(404)
  })

  it('again returns 304 if it is unchanged', async () => {
    const { entry } = await illustrated({ bytes: png })
    const first = await get(entry.imageURL)
    const [, seconds] =
      /^private, max-age=(\d+), immutable$/.exec(String(first.headers['cache-control'])) ?? []
    expect(Number(seconds)).toBeGreaterThan(3_500)
    expect(Number(seconds)).toBeLessThanOrEqual(5_400)
    const again = await get(entry.imageURL, { 'if-none-match': String(first.headers.etag) })
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
    expect(again.headers.etag).toBe(first.headers.etag)
    const small = await get(entry.image.smallURL, { 'if-none-match': String(first.headers.etag) })
    expect(small.statusCode).toBe(200)
    const head = await t.app.inject({ method: 'HEAD', url: entry.imageURL })
    expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0])
  })
})
