import { type Static, Type } from 'typebox'
import { Uuid } from './ids.js'
import { Nullable, Words } from './nullable.js'

const Email = Type.String({ format: 'email', maxLength: 254, description: 'Email address; case does not matter.' })
/** Bounds of a password, in characters. */
export const passwordLength = { minimum: 8, maximum: 256 } as const
/** `writeOnly` marks a secret: no message repeats what was sent. */
const secret = { writeOnly: true } as const
const NewPassword = Type.String({ ...secret, minLength: passwordLength.minimum, maxLength: passwordLength.maximum, description: `${passwordLength.minimum} to ${passwordLength.maximum} characters.` })

/** A person or a lab that signs in. */
export const Account = Type.Object({
  id: Uuid,
  email: Type.String({ description: 'Email address.' }),
  administrator: Type.Boolean({ description: 'Whether it administers the service: sees all accounts and jobs, and the service itself.' }),
  disabled_at: Nullable(Type.String({ format: 'date-time' }), 'Since when it is switched off; null while it is not.'),
  created_at: Type.String({ format: 'date-time', description: 'When the account was made.' })
})
export type Account = Static<typeof Account>

/** Input of `POST /api/auth/register`. */
export const RegisterInput = Type.Object({
  email: Email,
  password: NewPassword,
  setup_token: Type.Optional(Type.String({ ...secret, maxLength: 200, description: 'The token that the start prints; needed for the first account of a service that is reachable from other machines.' }))
}, { additionalProperties: false })

/** Who may register now. */
export const RegistrationState = Type.Object({
  first: Type.Boolean({ description: 'Whether the service has no account yet and anyone may make the first one.' }),
  open: Type.Boolean({ description: 'Whether anybody may make an account.' }),
  needs_setup_token: Type.Boolean({ description: 'Whether making the first one needs the token that the start printed.' })
})

/** An account that the operator creates; without a password, one is generated. */
export const AccountCreateInput = Type.Object({ email: Email, password: Type.Optional(NewPassword) }, { additionalProperties: false })
/** Names an account by its email address. */
export const AccountInput = Type.Object({ email: Email }, { additionalProperties: false })

/** The password is there only when the service made it. */
export const AccountCreated = Type.Object({ ...Account.properties, password: Type.Optional(Type.String()) })

/** Input of `POST /api/auth/login`. */
export const LoginInput = Type.Object({
  email: Type.String({ maxLength: 254, description: 'Email address.' }),
  password: Type.String({ ...secret, maxLength: passwordLength.maximum, description: `The account's password, at most ${passwordLength.maximum} characters.` })
}, { additionalProperties: false })

/** A sign-in on the login page. */
export const BrowserLoginInput = Type.Object({
  ...LoginInput.properties,
  user_agent: Type.String({ description: 'What the browser calls itself.' })
}, { additionalProperties: false })

/** The cookie of a new browser session, and when it expires. */
export const BrowserSessionStarted = Type.Object({
  token: Type.String({ description: 'What the cookie holds.' }),
  expires_at: Type.String({ format: 'date-time', description: 'When the session ends, unless it is used.' })
})

/** The current and the new password of the caller. */
export const PasswordChangeInput = Type.Object({
  current_password: Type.String({ ...secret, maxLength: passwordLength.maximum, description: 'The password that the account has now.' }),
  new_password: NewPassword
}, { additionalProperties: false })

/** How a session was started: over the API, or in a browser. */
export const sessionKinds = ['token', 'browser'] as const

/** A sign-in on one device. */
export const Session = Type.Object({
  id: Uuid,
  kind: Words(sessionKinds, { description: 'token: a program that logged in over the REST interface; browser: a person at the pages.' }),
  user_agent: Nullable(Type.String(), 'What logged in, in a few words; null where it did not say.'),
  current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
  created_at: Type.String({ format: 'date-time', description: 'When it logged in.' }),
  last_used_at: Nullable(Type.String({ format: 'date-time' }), 'When it was last used: to the minute, a browser\'s to the hour.'),
  expires_at: Type.String({ format: 'date-time', description: 'When it ends, unless it is used before.' })
}, { description: 'A login.' })
export type Session = Static<typeof Session>

/** All sessions of the caller. */
export const SessionsListResult = Type.Object({
  items: Type.Array(Session, { description: 'Last used first.' }),
  total: Type.Integer({ minimum: 0, description: 'How many there are.' })
})

/** Names a session of the caller. */
export const SessionInput = Type.Object({ session_id: Type.String({ format: 'uuid', description: 'The session\'s UUID.' }) }, { additionalProperties: false })

/** Input of `POST /api/auth/refresh`; each refresh token works once. */
export const RefreshInput = Type.Object({ refresh_token: Type.String({ ...secret, maxLength: 500, description: 'The newest refresh token of the session.' }) }, { additionalProperties: false })

/** Answer to a login or a refresh. */
export const Tokens = Type.Object({
  access_token: Type.String({ description: 'JWT for the Authorization header.' }),
  refresh_token: Type.String({ description: 'Good for one refresh.' }),
  token_type: Type.Unsafe<'Bearer'>({ type: 'string', enum: ['Bearer'], description: 'How to send the access token.' }),
  expires_in: Type.Integer({ description: 'Seconds until the access token expires.' })
})
export type Tokens = Static<typeof Tokens>

/** The caller's MCP key without its secret, or null. */
export const McpKeyResult = Type.Object({
  key: Nullable(Type.Object({
    prefix: Type.String({ description: 'The key\'s public part.' }),
    masked: Type.String({ description: 'The key with its secret left out.' }),
    created_at: Type.String({ format: 'date-time', description: 'When the key was made.' }),
    last_used_at: Nullable(Type.String({ format: 'date-time' }), 'When it was last used, to the minute.')
  }), 'The account\'s key, null while there is none.')
})

/** A new MCP key: the only answer that contains the secret. */
export const McpKeyRotated = Type.Object({
  api_key: Type.String({ description: 'The whole key. It is shown this once.' }),
  prefix: Type.String({ description: 'The key\'s public part.' }),
  created_at: Type.String({ format: 'date-time', description: 'When the key was made.' }),
  mcp_url: Type.String({ description: 'The MCP endpoint with the key, for clients that take only an address.' })
})
export type McpKeyRotated = Static<typeof McpKeyRotated>

/** A new token of the caller's Atom addresses. */
export const FeedTokenRotated = Type.Object({ feed_token: Type.String({ description: 'Token of the Atom addresses. Earlier addresses stop working.' }) })
/** An answer without content. */
export const Nothing = Type.Object({})
