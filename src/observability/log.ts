/** Writes structured log lines: a message and its data. */
export interface Log {
  info: (data: object, message: string) => void
  warn: (data: object, message: string) => void
  error: (data: object, message: string) => void
}
