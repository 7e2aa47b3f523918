import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#server/database/connect.ts'
import { allRows, findInconsistencies } from '#server/database/testing-contents.ts'
import { sweepFiles } from '#server/files/sweep.ts'
import { backUpFrom, backupFixture, putSampleFiles, restoreInto, sampleFiles } from './testing.ts'

const log = pino({ level: 'silent' })

let bench: Awaited<ReturnType<typeof backupFixture>>
beforeAll(async () => {
  bench = await backupFixture()
})
afterAll(() => bench.close())

test('each backup during writes is one snapshot', async () => {
  const [from, files] = [await bench.filled(), await bench.files()]
  await putSampleFiles(files)
  const database = connect(from, log)
  const over = new AbortController()
  // As the server does: without the lock, two writers could deadlock on each other's rows.
  const write = (statement: string) =>
    database.pool.query(`select id from projects order by id for no key update; ${statement}`)
  const writer = async () => {
    while (!over.signal.aborted) {
      await write(`insert into entries (id, milestone_id, title, content, tags, created_at, updated_at)
        select gen_random_uuid(), id, 'More', repeat('x', 20000), '{more}', now(), now() from milestones`)
      await write(`update milestones set completed = not completed`)
      await write(
        `delete from entries where id in (select id from entries where cover_file_id is null limit 2)`,
      )
    }
  }
  const writers = Promise.all([writer(), writer()])
  const archives = [bench.archive(), bench.archive(), bench.archive()]
  for (const archive of archives) await backUpFrom(from, files, archive)
  over.abort()
  await writers
  await database.close()
  for (const archive of archives) {
    const to = await bench.empty()
    await restoreInto(to, await bench.files(), archive)
    expect(await findInconsistencies(to)).toEqual([])
  }
})

test('a backup contains no concurrent writes, and is consistent', async () => {
  const [from, to, files, copies, archive] = [
    await bench.filled(),
    await bench.empty(),
    await bench.files(),
    await bench.files(),
    bench.archive(),
  ]
  await putSampleFiles(files)
  const before = await allRows(from)
  const database = connect(from, log)
  const everythingGoes = async () => {
    await database.pool.query(`insert into entries (id, milestone_id, title, content, tags, created_at, updated_at)
      select gen_random_uuid(), id, 'Late', 'x', '{late}', now(), now() from milestones`)
    await database.pool.query('delete from file_uses')
    await database.pool.query('update entries set cover_file_id = null')
    await database.pool.query(`update files set unused_since = now() - interval '2 days'`)
    await sweepFiles({ db: database.db, files, log })
  }
  let once: Promise<void> | undefined
  const watched = {
    ...files,
    read: async (key: string) => {
      once ??= everythingGoes()
      await once
      return files.read(key)
    },
  }
  await backUpFrom(from, watched, archive)
  await sweepFiles({ db: database.db, files, log })
  await database.close()

  await restoreInto(to, copies, archive)
  expect(await allRows(to)).toEqual(before)
  expect(await sampleFiles(copies)).not.toContain(null)
  expect(await sampleFiles(files)).toEqual([null, null, null, null, null])
})
