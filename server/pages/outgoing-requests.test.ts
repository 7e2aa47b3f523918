import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { sendForm } from '#server/testing/form.ts'

let t: TestApp
let visits = 0
const listener = createServer((socket) => {
  visits += 1
  socket.destroy()
})
beforeAll(async () => {
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  t = await testApp({}, { pages: 'built' })
})
afterAll(async () => {
  await t.close()
  listener.close()
})

/** Returns the URL of the listener in all forms that could make a server request it. */
function addresses(): string[] {
  const { port } = listener.address() as AddressInfo
  return [
    `http://127.0.0.1:${port}/a.png`,
    `https://127.0.0.1:${port}/a.png`,
    `http://localhost:${port}/a.svg`,
    `//127.0.0.1:${port}/a`,
    `http://0x7f000001:${port}/a`,
    `http://[::ffff:127.0.0.1]:${port}/a`,
  ]
}

it('the server requests no URL in user input, wherever it occurs', async () => {
  const [, picture = ''] = addresses()
  const claims = {
    issuer: 'urn:test',
    subject: 'ada',
    email: 'ada@example.test',
    emailVerified: true,
    session: null,
  }
  const idToken = JSON.stringify({ ...claims, name: `Ada ${picture}`, picture })
  const { token } = await t.deps.identity.exchange({ idToken })
  const ada = { headers: { authorization: `Bearer ${token}` }, userId: '', email: claims.email }
  const written = addresses().flatMap((address) => [
    address,
    `![](${address})`,
    `[see](${address})`,
    `<img src="${address}">`,
    `@import url(${address})`,
  ])
  const project = await t.project(ada, { title: picture, description: written.join(' '), isPublic: true })
  const milestone = await t.milestone(ada, project._id, { title: picture })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><image href="${picture}"/></svg>`
  const refused = await sendForm(t.app, {
    url: `/api/milestones/${milestone._id}/entries`,
    as: ada,
    fields: { title: 'A picture', content: 'x', imageURL: picture },
    image: { bytes: Buffer.from(svg) },
  })
  expect(refused.statusCode).toBe(415)
  const entry = await t.entry(ada, milestone._id, {
    title: picture,
    content: written.join('\n\n'),
    tags: [picture],
  })

  const world = `/world/${project._id}`
  const paths = ['', '/share.png', '/feed.atom', '/feed.rss', '/feed.json', `/entries/${entry._id}`]
  for (const path of [...paths, `/entries/${entry._id}/share.png`])
    expect([path, (await t.app.inject(world + path)).statusCode]).toEqual([path, 200])
  expect(visits).toBe(0)
})
