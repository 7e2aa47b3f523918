import type { ColumnType, Generated, SelectType } from 'kysely'

export type Timestamp = ColumnType<Date, Date, Date>
export type Created = ColumnType<Date, Date, never>
/** A calendar day, `YYYY-MM-DD`. */
export type Day = string
export type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>
/** A row that only the database writes, or a row of a view. */
export type ReadOnly<Row> = { [K in keyof Row]: ColumnType<SelectType<Row[K]>, never, never> }

/** The columns of rows in the trash. No view contains such rows. */
export type Deletable = {
  deleted_at: Nullable<Date>
  deleted_by: Nullable<string>
  /** Shared by all rows that were deleted together. */
  deletion_id: Nullable<string>
}

/** The changes that a row remembers: the one that created it, then the latest eight. */
export type Remembering = { changes: Generated<string[]> }
