import type { AnyOperation } from '../../operations/operation.js'
import type { Send } from './send.js'

/**
 * Callers of a route: `anyone`; `session`, a signed-in account; `browser`, also one that signed in to the pages; `administrator`, a
 * signed-in administrator; `reader`, a signed-in account or an MCP key whose scope allows it.
 */
export type Access = 'anyone' | 'session' | 'browser' | 'administrator' | 'reader'

/** A row of the table of routes. */
export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  operation: AnyOperation
  access: Access
  /** Status of a success; default 200. */
  status?: number
  /** For a body that is not JSON: its media type, and the property of the input that contains its bytes. */
  binary?: { type: string, property: string }
  /** For a form with a file: the property of the input that is the file. Other fields of the form are properties, too. */
  multipart?: { property: string }
  /** Statuses of its errors that its shape does not tell. */
  errors?: readonly number[]
  /** Default: sends the result as JSON. */
  send?: Send
}
