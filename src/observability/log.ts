/** Where parts of the service write log lines: a message, and the data that belongs to it. */
export interface Log {
  info: (data: object, message: string) => void
  warn: (data: object, message: string) => void
  error: (data: object, message: string) => void
}
