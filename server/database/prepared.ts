import { createHash } from 'node:crypto'
import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type { Db, Schema } from './rows.ts'

/** A statement of kysely that is built once, prepared once on each connection, and run with other values each time. */
type Prepared<Values, Row> = {
  all(db: Db, values: Values): Promise<Row[]>
  first(db: Db, values: Values): Promise<Row | undefined>
}

/** A placeholder for a value while a statement is built. */
class Blank {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

const builder = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

const names = new Map<string, string>()

/** The name by which connections know a statement; undefined for one that is not prepared. */
export const preparedName = (text: string): string | undefined => names.get(text)

/**
 * Prepares a statement whose text is always the same. While it is built its values are blanks: they may be put
 * wherever kysely takes a value, but not looked at, and a list is one value, as in `= any(…)`. It names its columns:
 * with `*`, a column that a migration adds would make it fail on each connection that knows it.
 */
export function prepared<Values extends object, Row>(
  build: (db: Kysely<Schema>, values: Values) => Compilable<Row>,
): Prepared<Values, Row> {
  let made: ((values: Values) => CompiledQuery<Row>) | undefined
  const all = async (db: Db, values: Values) => {
    made ??= make(build)
    return (await db.executeQuery(made(values))).rows
  }
  return { all, first: async (db, values) => (await all(db, values))[0] }
}

function make<Values extends object, Row>(
  build: (db: Kysely<Schema>, values: Values) => Compilable<Row>,
): (values: Values) => CompiledQuery<Row> {
  const blanks = new Proxy({}, { get: (_target, name) => new Blank(String(name)) })
  const compiled = build(builder, blanks as Values).compile()
  names.set(compiled.sql, nameOf(compiled.sql))
  return (values) => {
    const given = values as Record<string, unknown>
    const parameters = compiled.parameters.map((value) =>
      value instanceof Blank ? given[value.name] : value,
    )
    return { ...compiled, parameters }
  }
}

/** The same in every process, for poolers that have many of them share one connection. */
const nameOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22)
