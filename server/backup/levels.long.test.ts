import { afterAll, beforeAll, expect, test } from 'vitest'
import { levels } from '#server/database/testing-samples.ts'
import { backupFixture, putSampleFiles, restoredFrom } from './testing.ts'

let bench: Awaited<ReturnType<typeof backupFixture>>
let files: Awaited<ReturnType<typeof bench.files>>
beforeAll(async () => {
  bench = await backupFixture()
  files = await bench.files()
  await putSampleFiles(files)
})
afterAll(() => bench.close())

test.each(levels)('an archive of %s can be restored to an empty database, migrated or not', async (level) => {
  const { copies, expected } = await restoredFrom(bench, files, level)
  expect(copies).toEqual(expected)
})
