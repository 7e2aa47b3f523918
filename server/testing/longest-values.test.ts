import { afterAll, beforeAll, expect, it } from 'vitest'
import { EMAIL_MAX } from '#contract/email.ts'
import { CONTENT_MAX, TAGS_MAX } from '#contract/entries.ts'
import { FILE_NAME_MAX } from '#contract/files.ts'
import { REVISION_NAME_MAX } from '#contract/history.ts'
import { NAME_MAX } from '#contract/identity.ts'
import { TAG_MAX } from '#contract/parts/list-options.ts'
import { DESCRIPTION_MAX, TITLE_MAX } from '#contract/parts/text.ts'
import { uploader } from '#server/files/testing-uploads.ts'
import { type TestApp, testApp } from './app.ts'
import type { Person } from './builders.ts'

let t: TestApp
let ada: Person
beforeAll(async () => {
  t = await testApp()
  ada = await t.person({ name: 'Ada' })
})
afterAll(() => t.close())

/** Returns a text of so many characters, which are longer in UTF-16 and UTF-8. */
const long = (length: number) => '🛶'.repeat(length)

const titled = { title: long(TITLE_MAX), description: long(DESCRIPTION_MAX) }
const tags = Array.from({ length: TAGS_MAX }, (_, index) => `${index}`.padEnd(TAG_MAX, 'x'))
const email = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.`.padEnd(EMAIL_MAX - '.test'.length, 'd')

// The constants of the contract and the checks of the database are two statements of the same limits.
it('the longest values that the contract accepts fit into the database', async () => {
  const project = await t.project(ada, titled)
  expect(project).toMatchObject(titled)
  const milestone = await t.milestone(ada, project._id, titled)
  expect(milestone).toMatchObject(titled)
  const written = { title: long(TITLE_MAX), content: long(CONTENT_MAX), tags }
  const entry = await t.entry(ada, milestone._id, written)
  expect(entry).toMatchObject(written)
  const ofEntry = { milestoneId: milestone._id, entryId: entry._id }
  const revisionId = await t.revisionOf(ada, entry)
  const name = long(REVISION_NAME_MAX)
  await t.call('nameRevision', { params: { ...ofEntry, revisionId }, body: { name } }, { as: ada })
  await t.call('updateAccount', { body: { name: long(NAME_MAX) } }, { as: ada })
  await t.invitation(ada, project._id, { email: `${email}.test` })
  await uploader(t).reserve(ada, project._id, [
    { name: `${'x'.repeat(FILE_NAME_MAX - '.txt'.length)}.txt`, size: 1 },
  ])
})
