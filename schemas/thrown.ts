/* A catch clause receives anything. */

/** The code of an error of Node.js, such as ENOENT; undefined if it has none. */
export function errorCodeOf (thrown: unknown): string | undefined {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** The message of an error. */
export const messageOf = (thrown: unknown): string => thrown instanceof Error ? thrown.message : String(thrown)
