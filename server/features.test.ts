import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { features } from './features.ts'

const decisions = features.flatMap(({ tables = {} }) => Object.entries(tables))
const stored = decisions.filter(([, { backup }]) => backup !== 'dropped')
const namesWhere = (isWanted: (table: (typeof stored)[number][1]) => boolean) =>
  stored.flatMap(([name, decided]) => (isWanted(decided) ? name : [])).toSorted()

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function namesIn(query: ReturnType<typeof sql<{ name: string }>>): Promise<string[]> {
  return (await query.execute(t.deps.db)).rows.map(({ name }) => name)
}

/** The name of a table as features say it, without the schema `public`. */
const nameOf = (oid: string) =>
  sql.raw(`(select case nspname when 'public' then '' else nspname || '.' end || relname
    from pg_class join pg_namespace n on n.oid = relnamespace where pg_class.oid = ${oid})`)

describe('the decisions of features about their tables', () => {
  it('are made for every table of the database', async () => {
    const tables = await namesIn(sql`
      select ${nameOf('c.oid')} as name from pg_class c
      where relkind = 'r' and relnamespace in ('public'::regnamespace, 'identity'::regnamespace)
        and relname not like 'kysely_%' order by 1`)
    expect(stored.map(([name]) => name).toSorted()).toEqual(tables.toSorted())
  })

  it('are made by the feature whose file in server/database/rows/ has the type of their rows', () => {
    const deciding = new Map(
      features.flatMap(({ name: feature, tables = {} }) =>
        Object.keys(tables).map((table) => [table, `${feature}.ts`] as const),
      ),
    )
    const typed = globSync('server/database/rows/*.ts').flatMap((path) => {
      const [, tables = ''] = /Tables = \{\n([^}]*)\}/.exec(readFileSync(path, 'utf8')) ?? []
      return Array.from(tables.matchAll(/^ {2}(\w+):/gm), ([, name = '']) => [name, basename(path)] as const)
    })
    expect(typed).toContainEqual(['entries', 'entries.ts'])
    expect(typed.filter(([table, file]) => (deciding.get(table) ?? file) !== file)).toEqual([])
  })

  it('name each table, function and feature once', () => {
    for (const names of [
      decisions.map(([name]) => name),
      features.map(({ name }) => name),
      features.flatMap(({ functions = [] }) => functions),
    ])
      expect(names).toEqual([...new Set(names)])
  })

  it('say of each table whose rows are deleted with an account that they are', async () => {
    // `entries` and what belongs to them are also deleted with their project, and others stay in the projects of others.
    const deleted = await namesIn(sql`
      with recursive deleted (oid) as (
        select oid from pg_class where oid in ('users'::regclass, 'identity."user"'::regclass)
        union select conrelid from pg_constraint join deleted on confrelid = deleted.oid
          where contype = 'f' and confdeltype = 'c')
      select ${nameOf('deleted.oid')} as name from deleted`)
    expect(
      namesWhere(({ forgotten }) => forgotten === 'cascade').filter((name) => !deleted.includes(name)),
    ).toEqual([])
    expect(
      namesWhere(({ forgotten }) => forgotten === 'nobody').filter((name) => deleted.includes(name)),
    ).toEqual([])
  })

  it('say of each table whose rows keep an unlinked account that they are anonymized', async () => {
    const unlinked = await namesIn(sql`
      select distinct ${nameOf('conrelid')} as name from pg_constraint
      where contype = 'f' and confdeltype = 'n' and confrelid = 'users'::regclass`)
    const decided = namesWhere(({ forgotten }) => forgotten === 'anonymize')
    expect(
      unlinked.filter((name) => !decided.includes(name) && !['milestones', 'projects'].includes(name)),
    ).toEqual([])
  })

  it('leave no table whose rows remember their changes out of what is known of ids that are taken', async () => {
    // A client repeats what it sends under its own id, also after that was deleted.
    const remembering = sql`select attrelid from pg_attribute join pg_class on oid = attrelid
      where attname = 'changes' and not attisdropped and relkind = 'r' and relnamespace = 'public'::regnamespace`
    const noted = sql`select tgrelid from pg_trigger where tgfoid = 'note_removed'::regproc`
    const known = sql`strpos(pg_get_functiondef('taken_by'::regproc), 'from ' || ${nameOf('attrelid')} || ' ') > 0`
    expect(
      await namesIn(sql`
        select ${nameOf('attrelid')} as name from (${remembering}) r
        where attrelid not in (${noted}) or not ${known} order by 1`),
    ).toEqual([])
  })

  it('say which tables have the columns of the trash', async () => {
    const marked = await namesIn(sql`
      select table_name as name from information_schema.columns join pg_class on relname = table_name
      where table_schema = 'public' and column_name = 'deletion_id' and relkind = 'r' order by 1`)
    expect(namesWhere(({ trash }) => trash === 'mark')).toEqual(marked.toSorted())
  })
})

test('every queue of emails is opened by one feature', () => {
  const [, fields = ''] =
    /EmailQueues = \{\n([^}]*)\}/.exec(readFileSync('server/email-queues.ts', 'utf8')) ?? []
  const named = Array.from(fields.matchAll(/^ {2}(\w+):/gm), ([, name = '']) => name)
  expect(named).toContain('invitations')
  expect(features.flatMap(({ emailQueues = {} }) => Object.keys(emailQueues)).toSorted()).toEqual(
    named.toSorted(),
  )
})

test('the emails of every queue have a row in the list of limits, or a reason to have none', () => {
  const limits = readFileSync('docs/operations/limits.md', 'utf8')
  const unknown = features.flatMap(({ emailQueues = {} }) =>
    Object.values(emailQueues).flatMap(({ limited }) =>
      typeof limited !== 'string' || limits.includes(`\n| ${limited}`) ? [] : limited,
    ),
  )
  expect(unknown).toEqual([])
})

test('every scheduled task that a room has is registered by a feature or started with the server', () => {
  const sources = globSync('server/**/*.ts')
    .filter((path) => !/testing|\.test\.ts$/.test(path))
    .map((path) => readFileSync(path, 'utf8'))
  const tasks = sources.flatMap((text) =>
    text
      .split(/^export (?:const|function) /m)
      .slice(1)
      .flatMap((definition) => {
        const [, name = ''] = /^(\w+)(?:(?!\n\n)[^])*?\): ScheduledTask\b/.exec(definition) ?? []
        return name === '' ? [] : name
      }),
  )
  expect(tasks).toContain('notificationSweep')
  // Beside its definition: imports do not count, because a test may be the only one that calls it.
  const uses = (name: string) =>
    sources.flatMap((text) => text.match(new RegExp(`\\b${name}\\(`, 'g')) ?? []).length
  const mentioned = (name: string) => sources.some((text) => new RegExp(`: ${name},`).test(text))
  expect(tasks.filter((name) => uses(name) === 0 && !mentioned(name))).toEqual([])
})
