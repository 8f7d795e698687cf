/** Whether a value is one of a closed list. */
export function isOneOf<T> (list: readonly T[], value: unknown): value is T {
  const known: readonly unknown[] = list
  return known.includes(value)
}

/** The names in a table of closed names. `Object.keys` types them as any text. */
export const keysOf = <T extends object>(table: T): Array<keyof T & string> => Object.keys(table) as Array<keyof T & string>
