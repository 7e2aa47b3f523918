import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Entry } from '#contract/entries.ts'
import { openFiles } from '#server/platform/storage/open.ts'
import { testBucket } from '#server/platform/storage/testing.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { sendForm } from '#server/testing/form.ts'
import { purged } from '#server/trash/testing.ts'
import { sweepFiles } from './sweep.ts'
import { picture } from './testing.ts'

let s3: Awaited<ReturnType<typeof testBucket>>
let t: TestApp
beforeAll(async () => {
  s3 = await testBucket()
  t = await testApp({ files: await openFiles({ bucket: s3.settings, dataDir: 'unused' }) })
})
afterAll(async () => {
  await t.close()
  await s3.close()
})

it('an image is stored in the bucket until its project is deleted', async () => {
  const owner = await t.person()
  const project = await t.project(owner)
  const milestone = await t.milestone(owner, project._id)
  const response = await sendForm(t.app, {
    url: `/api/milestones/${milestone._id}/entries`,
    as: owner,
    fields: { title: 'First boards', content: 'They smell of summer.' },
    image: { bytes: await picture(60, 40).jpeg().toBuffer() },
  })
  const { imageURL = '' } = response.json<Entry>()
  expect((await s3.kept()).toSorted()).toEqual([
    expect.stringMatching(/^[0-9a-f-]{36}-1-original$/),
    expect.stringMatching(/^[0-9a-f-]{36}-1-widest$/),
  ])

  const served = await t.app.inject(imageURL)
  expect(served.headers['content-length']).toBe(String(served.rawPayload.length))
  expect(await sharp(served.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 60 })

  await purged(t, owner, { projectId: project._id })
  await sweepFiles(t.deps)
  expect(await s3.kept()).toEqual([])
})
