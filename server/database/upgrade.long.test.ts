import { expect, test } from 'vitest'
import { migrate } from './migrate.ts'
import { emptyDatabase } from './testing.ts'
import { allRows, comparable, findInconsistencies, type Rows, rowsOf } from './testing-contents.ts'
import { levels, migrateWithSamples } from './testing-samples.ts'
import { onServer } from './testing-setup.ts'

test('line endings in all user input become LF, and tags that are equal afterwards are merged; versions, dates and counts stay', async () => {
  const database = await emptyDatabase()
  const level = levels.filter((name) => name < '0014').at(-1)
  await migrateWithSamples(database.config, level)
  await onServer(database.config, async (client) => {
    await client.query(`
      update users set name = e'Ada\\rL.';
      update identity."user" set name = e'Ada\\r\\nL.';
      update notifications set message = e'in\\r\\nvited';
      update projects set title = e'A\\rcanoe', description = e'Strip\\r\\nby\\rstrip';
      update milestones set description = e'Of\\r\\n\\r\\nits own';
      update entries set title = e'Day\\r\\n2', content = e'a\\r\\nb\\rc\\n', tags = array[e'x\\r\\ny', 'z', e'x\\ny', e'x\\ry'];`)
  })
  const before = await allRows(database.config)
  await migrate(database.config)
  const after = await allRows(database.config)
  expect(JSON.stringify(after)).not.toContain(String.raw`\r`)
  const kept = (rows: Rows) =>
    Object.values(rows).flatMap((table) =>
      table.map(({ id, version, created_at, updated_at, entry_count }) =>
        JSON.stringify([id, version, created_at, updated_at, entry_count]),
      ),
    )
  expect(kept(after)).toEqual(expect.arrayContaining(kept(comparable(before))))
  expect(after.entries?.[0]).toMatchObject({ title: 'Day\n2', content: 'a\nb\nc\n', tags: ['x\ny', 'z'] })
  expect(after.projects?.[0]).toMatchObject({ title: 'A\ncanoe', description: 'Strip\nby\nstrip' })
  expect(await findInconsistencies(database.config)).toEqual([])
  await database.close()
})

test('entries keep their dates, and get an author if only one person can have written them', async () => {
  const database = await emptyDatabase()
  const level = levels.filter((name) => name < '0018').at(-1)
  await migrateWithSamples(database.config, level)
  const [alone, shared] = ['0a1a0000-0000-7000-8000-000000000001', '0a1a0000-0000-7000-8000-000000000002']
  await onServer(database.config, async (client) => {
    const { rows } = await client.query(`select id, owner_id from projects limit 1`)
    for (const [id, title] of [
      [alone, 'Alone'],
      [shared, 'Shared'],
    ])
      await client.query(
        `insert into projects (id, owner_id, title, description, is_public, created_at, updated_at)
         values ($1, $2, $3, 'x', $4, now(), now())`,
        [id, rows[0].owner_id, title, title === 'Alone'],
      )
    await client.query(
      `insert into collaborators (id, project_id, email, role, status, user_id, created_at, updated_at) values
         (gen_random_uuid(), $1, 'v@x.test', 'viewer', 'pending', null, now(), now()),
         (gen_random_uuid(), $2, 'e@x.test', 'editor', 'pending', null, now(), now())`,
      [alone, shared],
    )
    await client.query(
      `insert into milestones (id, project_id, title, description, completed, created_at, updated_at)
       select gen_random_uuid(), p, n::text, 'x', true, date '2026-01-01' + n, now()
       from unnest($1::uuid[]) p, generate_series(1, 70) n order by n desc`,
      [[alone, shared]],
    )
    await client.query(
      `insert into entries (id, milestone_id, title, content, tags, created_at, updated_at)
       select gen_random_uuid(), id, 'E', 'x', '{}', '2026-03-04T23:30:00-02:00', now() from milestones
       where project_id = any ($1)`,
      [[alone, shared]],
    )
  })
  await migrate(database.config)
  const entries = await rowsOf(
    database.config,
    `select distinct p.title, p.visibility, e.happened_on, e.happened_zone, e.happened_at = e.created_at as same, e.state,
       e.published_at = e.created_at as published, e.author_id = p.owner_id as own, e.author_name = u.name as named,
       m.reached_at
     from entries e join milestones m on m.id = e.milestone_id join projects p on p.id = m.project_id
     join users u on u.id = p.owner_id where p.title in ('Alone', 'Shared') order by 1`,
  )
  const kept = { happened_zone: 'UTC', same: true, state: 'published', published: true, reached_at: null }
  expect(entries).toMatchObject([
    { ...kept, title: 'Alone', visibility: 'public', own: true, named: true },
    { ...kept, title: 'Shared', visibility: 'private', own: null, named: null },
  ])
  const days = await rowsOf(
    database.config,
    `select happened_on::text from entries where title = 'E' limit 1`,
  )
  expect(days).toEqual([{ happened_on: '2026-03-05' }])
  const milestones = await rowsOf(
    database.config,
    `select title from milestones where project_id = '${alone}' order by position`,
  )
  expect(milestones.map(({ title }) => Number(title))).toEqual(Array.from({ length: 70 }, (_, n) => n + 1))
  await database.close()
})
