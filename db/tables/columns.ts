import type { ColumnType } from 'kysely'

/** timestamptz(3): read as Date, written as Date; the database's clock where it is left out. */
export type Time = ColumnType<Date, Date | undefined, Date>
export type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>
/** A column that the database computes. */
export type Computed<T> = ColumnType<T, never, never>
