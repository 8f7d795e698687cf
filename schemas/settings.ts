import { type Static, Type } from 'typebox'
import { Words } from './nullable.js'

/** Marks a setting that holds a secret: it may also come from a file that NAME_FILE names, and is never printed. */
const secret = { 'x-secret': true }

/**
 * The environment, setting by setting. `.env.example`, the table in docs/self-hosting.md and the check at start are made from this.
 */
export const SettingsSchema = Type.Object({
  HOST: Type.String({ minLength: 1, default: '127.0.0.1', description: 'Address to listen on. 0.0.0.0 or :: for every network interface.' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 8787, description: 'Port to listen on.' }),
  BASE_URL: Type.Optional(Type.String({ pattern: '^https?://[^/?#\\s]+(/[^?#\\s]*)?$', description: 'Address under which people reach the service, as it appears in MCP and Atom addresses: https://litfeed.example.org. Unset: http://HOST:PORT.' })),
  DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://', ...secret, description: 'PostgreSQL 15 or newer: postgres://user:password@host:5432/litfeed. Unset: the embedded database in DATA_DIR.' })),
  DATA_DIR: Type.String({ minLength: 1, default: './data', description: 'Directory of the embedded database and of the generated JWT secret.' }),
  JWT_SECRET: Type.Optional(Type.String({ minLength: 32, ...secret, description: 'Signs access tokens and derives Atom tokens; at least 32 characters, the same in every process. Unset: made once and kept in DATA_DIR. Required with DATABASE_URL.' })),
  ALLOWED_ORIGINS: Type.String({ default: '', description: 'Origins of web pages that may call the service, separated by commas: https://app.example.org. The service\'s own origin is always allowed, and on a loopback HOST every loopback origin.' }),
  REGISTRATION: Words(['first', 'open', 'closed'], { default: 'first', description: 'Who may register over HTTP: only the first account, anybody, or nobody (accounts are then made with litfeed user create).' }),
  RATE_LIMIT: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 600, description: 'MCP tool calls and REST calls per key and minute. 0: no limit.' }),
  TRUST_PROXY: Type.String({ default: '', description: 'Reverse proxies whose X-Forwarded-For is believed: addresses or networks separated by commas (127.0.0.1, 10.0.0.0/8), a number of hops, or true for all, where nobody else can reach the service. Empty or false: none.' }),
  LOG_LEVEL: Words(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], { default: 'info', description: 'How much is logged, as JSON lines on standard output.' })
})
export type SettingsSchema = Static<typeof SettingsSchema>
