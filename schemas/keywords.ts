import type { TSchema } from 'typebox'

/** The keywords of JSON Schema that Litfeed reads itself. TypeBox types only those from which it infers the type of a value. */
export interface Keywords {
  type?: string
  description?: string
  default?: unknown
  enum?: readonly string[]
  examples?: readonly string[]
  writeOnly?: boolean
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  /** Of a received file. */
  maxBytes?: number
  properties?: Readonly<Record<string, TSchema>>
  required?: readonly string[]
  additionalProperties?: unknown
  items?: TSchema
  anyOf?: readonly TSchema[]
}

/** The keywords of a schema. */
export const keywordsOf = (schema: TSchema): Keywords => schema
