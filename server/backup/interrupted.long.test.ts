import { afterAll, beforeAll, expect, test } from 'vitest'
import { CannotStart } from '#server/cannot-start.ts'
import { allRows } from '#server/database/testing-contents.ts'
import { backUpFrom, backupFixture, putSampleFiles, restoreInto, sampleFiles } from './testing.ts'

let bench: Awaited<ReturnType<typeof backupFixture>>
beforeAll(async () => {
  bench = await backupFixture()
})
afterAll(() => bench.close())

/** Returns Milepost's tables, if any, and their numbers of rows. */
async function contentOf(config: Parameters<typeof allRows>[0]) {
  const rows = await allRows(config)
  return Object.entries(rows).filter(([, found]) => found.length > 0)
}

test('a restore that fails or is interrupted leaves no partial data, and the next one succeeds', async () => {
  const [from, to, files, copies, archive] = [
    await bench.filled(),
    await bench.empty(),
    await bench.files(),
    await bench.files(),
    bench.archive(),
  ]
  await putSampleFiles(files)
  await backUpFrom(from, files, archive)
  for (const put of [
    () => Promise.reject(new Error('no room')),
    async (stop: AbortController) => stop.abort(new CannotStart('Stopped.')),
  ]) {
    const stop = new AbortController()
    const broken = { ...copies, put: () => put(stop) }
    await expect(restoreInto(to, broken, archive, { stop: stop.signal })).rejects.toBeInstanceOf(CannotStart)
    expect(await contentOf(to)).toEqual([])
  }
  await restoreInto(to, copies, archive)
  expect(await allRows(to)).toEqual(await allRows(from))
  expect(await sampleFiles(copies)).toEqual(await sampleFiles(files))
})
