import type { ColumnType } from 'kysely'

/** A required timestamptz(3), as Date; defaults to the database's clock. */
export type Time = ColumnType<Date, Date | undefined, Date>
/** A nullable timestamptz(3), as Date. */
export type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>
/** A column that the database computes. */
export type Computed<T> = ColumnType<T, never, never>
