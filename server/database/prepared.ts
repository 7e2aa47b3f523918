import { createHash } from 'node:crypto'
import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'
import type { Db, Schema } from './rows.ts'

/** A kysely statement that is built once, prepared once per connection, and executed with different values. */
type Prepared<Values, Row> = {
  all(db: Db, values: Values): Promise<Row[]>
  first(db: Db, values: Values): Promise<Row | undefined>
}

/** A placeholder for a value while a statement is built. */
class Placeholder {
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

/** Returns the name of a prepared statement; undefined for one that is not prepared. */
export const preparedName = (text: string): string | undefined => names.get(text)

type Build<Values, Row> = (db: Kysely<Schema>, values: Values) => Compilable<Row> | RawBuilder<Row>

/**
 * Prepares a statement with a constant text. `build` gets placeholders, which it may pass wherever kysely takes a value, but
 * not inspect; a list is one value, as in `= any(…)`. The statement must name its columns: with `*`, a migration that adds
 * a column would make it fail on connections that have prepared it.
 */
export function prepared<Values extends object, Row>(build: Build<Values, Row>): Prepared<Values, Row> {
  let made: ((values: Values) => CompiledQuery<Row>) | undefined
  const all = async (db: Db, values: Values) => {
    made ??= make(build)
    return (await db.executeQuery(made(values))).rows
  }
  return { all, first: async (db, values) => (await all(db, values))[0] }
}

function make<Values extends object, Row>(build: Build<Values, Row>): (values: Values) => CompiledQuery<Row> {
  const placeholders = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) })
  const built = build(builder, placeholders as Values)
  const compiled = 'isRawBuilder' in built ? built.compile(builder) : built.compile()
  names.set(compiled.sql, nameOf(compiled.sql))
  return (values) => {
    const given = values as Record<string, unknown>
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? given[value.name] : value,
    )
    return { ...compiled, parameters }
  }
}

/** The same name in every process, because a pooler may share one connection among them. */
const nameOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22)
