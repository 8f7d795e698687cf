import { type Static, Type } from 'typebox'
import { time } from './fields.js'
import { Uuid } from './ids.js'
import { Nullable, Words } from './nullable.js'
import { page, paging } from './paging.js'

/** Scopes of keys: `read`, or `act`, which reads and changes. */
export const keyScopes = ['read', 'act'] as const
/** Scope of a key. */
export type KeyScope = typeof keyScopes[number]

/** Keys that an account may have. */
export const maxKeys = 1000
/** Projects that the keys of an account may be limited to, counted for each key: bounds lists of keys. */
export const maxKeyProjects = 10_000

/** The name of the key that `/api/auth/mcp-key` manages. */
export const defaultKeyName = 'Default'

const KeyName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'Name of the key, unique in the account.' })
const KeyScope = Words(keyScopes, {
  description: 'read: the key reads; act: it also votes, adds papers, and creates and changes projects.'
})

/** An MCP key without its secret. */
export const Key = Type.Object({
  id: Uuid,
  name: Type.String({ description: 'Name of the key.' }),
  prefix: Type.String({ description: 'The key prefix, which is public.' }),
  masked: Type.String({ description: 'The key with its secret masked.' }),
  scope: KeyScope,
  project_ids: Nullable(Type.Array(Uuid), 'Projects visible to the key; null: all.'),
  expires_at: Nullable(time(), 'Expiry time; null: never.'),
  created_at: time('Creation time of the key.'),
  last_used_at: Nullable(time(), 'Last use, to the minute.'),
  last_client: Nullable(Type.Object({
    name: Type.String({ description: 'Client name, such as its User-Agent.' }),
    version: Nullable(Type.String(), 'Client version, if stated.')
  }), 'Last client of the key, over MCP or REST; null if unknown.')
}, { description: 'An MCP key.' })
export type Key = Static<typeof Key>

/** Input of `GET /api/keys`. */
export const KeysListInput = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxKeys, default: maxKeys, description: 'Page size. Default: all keys.' })),
    offset: paging.offset
  },
  { additionalProperties: false }
)

/** A page of the caller's keys. */
export const KeysListResult = Type.Object({ items: Type.Array(Key, { description: 'Oldest first.' }), ...page })
export type KeysListResult = Static<typeof KeysListResult>

/** Input of `POST /api/keys`. */
export const KeyCreateInput = Type.Object(
  {
    name: KeyName,
    scope: Type.Optional(KeyScope),
    project_ids: Type.Optional(
      Type.Array(Uuid, { minItems: 1, maxItems: 1000, description: 'Projects visible to the key. Default: all, including future ones.' })
    ),
    expires_at: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Expiry: an RFC 3339 date (midnight UTC) or date-time. Default: never.'
      })
    )
  },
  { additionalProperties: false }
)

/** A new key: the only answer that contains its secret. */
export const KeyCreated = Type.Object({
  ...Key.properties,
  api_key: Type.String({ description: 'The complete key, shown only once.' }),
  mcp_url: Type.String({ description: 'MCP endpoint with the key, for clients that accept only a URL.' })
})
export type KeyCreated = Static<typeof KeyCreated>

/** Names a key of the caller. */
export const KeyInput = Type.Object(
  { key_id: Type.String({ format: 'uuid', description: "The key's UUID." }) },
  { additionalProperties: false }
)

/** Input of `PATCH /api/keys/{key_id}`. */
export const KeyUpdateInput = Type.Object({ ...KeyInput.properties, name: KeyName }, { additionalProperties: false })
