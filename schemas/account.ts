import { type Static, Type } from 'typebox'
import { count, time } from './fields.js'
import { Uuid } from './ids.js'
import { maxTokenLength } from './link-token.js'
import { Nullable, Words } from './nullable.js'

/** An email address in an input. */
export const EmailAddress = Type.String({ format: 'email', maxLength: 254, description: 'Email address, case-insensitive.' })
/** Bounds of passwords, in characters. */
export const passwordLength = { minimum: 8, maximum: 256 } as const
/** Error messages never repeat a `writeOnly` value. */
const secret = { writeOnly: true } as const
const NewPassword = Type.String({
  ...secret,
  minLength: passwordLength.minimum,
  maxLength: passwordLength.maximum,
  description: `${passwordLength.minimum} to ${passwordLength.maximum} characters.`
})

/** A person or a lab that signs in. */
export const Account = Type.Object({
  id: Uuid,
  email: Type.String({ description: 'Email address.' }),
  administrator: Type.Boolean({
    description: 'Whether the account is an administrator: sees all accounts, jobs and the state of the service.'
  }),
  disabled_at: Nullable(time(), 'When the account was disabled; null if it is enabled.'),
  time_zone: Type.String({ description: 'Time zone of digests and of the days of feeds, such as Europe/Berlin.' }),
  created_at: time('Creation time.')
})
export type Account = Static<typeof Account>

const InvitationToken = Type.String({
  ...secret,
  maxLength: maxTokenLength,
  description: 'Token of an invitation link, from its address. It creates an account even if registration is closed.'
})

/** A link whose state is asked for. */
export const InvitationStateInput = Type.Object({ token: InvitationToken }, { additionalProperties: false })

const TimeZone = Type.String({
  maxLength: 64,
  description: 'Time zone of digests and of the days of feeds: a name of the tz database, such as Europe/Berlin; UTC at first.'
})

/** Input of `POST /api/auth/register`. */
export const RegisterInput = Type.Object(
  {
    email: EmailAddress,
    password: NewPassword,
    setup_token: Type.Optional(
      Type.String({
        ...secret,
        maxLength: 200,
        description: 'Setup token, printed at start; required for the first account of a service that other machines can reach.'
      })
    ),
    invitation: Type.Optional(InvitationToken),
    time_zone: Type.Optional(TimeZone)
  },
  { additionalProperties: false }
)

/** People who may register now. */
export const RegistrationState = Type.Object({
  first: Type.Boolean({ description: 'Whether the service has no account yet and the first one can be registered.' }),
  open: Type.Boolean({ description: 'Whether anyone can register.' }),
  needs_setup_token: Type.Boolean({ description: 'Whether the first registration requires the setup token.' })
})

const RevokeKeys = Type.Optional(Type.Boolean({ default: false, description: 'Whether the MCP keys of the account stop working too.' }))

/** A new password for an account; without one, it is generated. */
export const PasswordResetInput = Type.Object(
  { email: EmailAddress, password: Type.Optional(NewPassword), revoke_keys: RevokeKeys },
  { additionalProperties: false }
)

/** The account that gets a link. */
export const PasswordResetSendInput = Type.Object(
  { account_id: Type.String({ format: 'uuid', description: "The account's UUID." }) },
  { additionalProperties: false }
)

const ResetToken = Type.String({ ...secret, maxLength: maxTokenLength, description: 'Token of the link in the mail.' })

/** A new password, authorized by the link in a mail. */
export const PasswordResetConfirmInput = Type.Object(
  { token: ResetToken, new_password: NewPassword, revoke_keys: RevokeKeys },
  { additionalProperties: false }
)

/** A link whose state is asked for, if any. */
export const PasswordResetStateInput = Type.Object({ token: Type.Optional(ResetToken) }, { additionalProperties: false })

/** Whether passwords can be reset by mail, and what a link is for. */
export const PasswordResetState = Type.Object({
  mail: Type.Boolean({ description: 'Whether the operator has configured a mail server.' }),
  email: Nullable(Type.String(), 'Address of the account that the link is for; null for a link that is invalid, used or expired.')
})

/** An account that the operator creates; without a password, one is generated. */
export const AccountCreateInput = Type.Object(
  { email: EmailAddress, password: Type.Optional(NewPassword) },
  { additionalProperties: false }
)
/** Names an account by its email address. */
export const AccountInput = Type.Object({ email: EmailAddress }, { additionalProperties: false })

/** `password` is present only if the service generated it. */
export const AccountCreated = Type.Object({ ...Account.properties, password: Type.Optional(Type.String()) })

/** Input of `POST /api/auth/login`. */
export const LoginInput = Type.Object(
  {
    email: Type.String({ maxLength: 254, description: 'Email address.' }),
    password: Type.String({
      ...secret,
      maxLength: passwordLength.maximum,
      description: `The account's password, at most ${passwordLength.maximum} characters.`
    })
  },
  { additionalProperties: false }
)

/** Characters of a device token, at most. */
export const maxDeviceTokenLength = 200

/** A sign-in on the login page. */
export const BrowserLoginInput = Type.Object({
  ...LoginInput.properties,
  user_agent: Type.String({ description: 'User-Agent of the browser.' }),
  device: Type.Optional(
    Type.String({ ...secret, maxLength: maxDeviceTokenLength, description: 'Device token of an earlier login in this browser.' })
  )
}, { additionalProperties: false })

/** The cookie of a new browser session, and when it expires. */
export const BrowserSessionStarted = Type.Object({
  token: Type.String({ description: 'Value of the cookie.' }),
  expires_at: time('When the session expires if unused.'),
  device: Type.String({ description: 'Device token, which spares this browser from limits that wrong logins elsewhere exhaust.' })
})

/** The current and the new password of the caller. */
export const PasswordChangeInput = Type.Object({
  current_password: Type.String({ ...secret, maxLength: passwordLength.maximum, description: 'Current password.' }),
  new_password: NewPassword,
  revoke_keys: RevokeKeys
}, { additionalProperties: false })

/** Changes that people make to their own account. */
export const AccountSettingsInput = Type.Object({ time_zone: TimeZone }, { additionalProperties: false })

/** The caller's password, to confirm the deletion of the account. */
export const AccountDeleteInput = Type.Object({
  password: Type.String({ ...secret, maxLength: passwordLength.maximum, description: 'Password of the account.' })
}, { additionalProperties: false })

/** Everything of an account as one file, in parts. */
export const AccountExportResult = Type.Object({
  media_type: Type.String({ description: 'Media type.' }),
  file_name: Type.String({ description: 'File name.' }),
  parts: Type.Unsafe<AsyncIterable<string>>({ description: 'The JSON document, piece by piece.' })
})

/** Kinds of sessions: REST tokens and browser cookies. */
const sessionKinds = ['token', 'browser'] as const

/** A sign-in on one device. */
export const Session = Type.Object({
  id: Uuid,
  kind: Words(sessionKinds, { description: 'token: REST API; browser: web pages.' }),
  user_agent: Nullable(Type.String(), 'Client, such as "Firefox on Linux"; null if unknown.'),
  current: Type.Boolean({ description: 'Whether this request uses the session.' }),
  created_at: time('Login time.'),
  last_used_at: Nullable(time(), 'Last use, to the minute (browser sessions: to the hour).'),
  expires_at: time('When the session expires if unused.')
}, { description: 'A session.' })
export type Session = Static<typeof Session>

/** All sessions of the caller. */
export const SessionsListResult = Type.Object({
  items: Type.Array(Session, { description: 'Most recently used first.' }),
  total: count('Number of sessions.')
})

/** Names a session of the caller. */
export const SessionInput = Type.Object(
  { session_id: Type.String({ format: 'uuid', description: "The session's UUID." }) },
  { additionalProperties: false }
)

/** Input of `POST /api/auth/refresh`; each refresh token works once. */
export const RefreshInput = Type.Object(
  { refresh_token: Type.String({ ...secret, maxLength: 500, description: 'The newest refresh token of the session.' }) },
  { additionalProperties: false }
)

/** Answer to a login or a refresh. */
export const Tokens = Type.Object({
  access_token: Type.String({ description: 'JWT for the Authorization header.' }),
  refresh_token: Type.String({ description: 'Refresh token, valid once.' }),
  token_type: Type.Unsafe<'Bearer'>({ type: 'string', enum: ['Bearer'], description: 'Authorization scheme of the access token.' }),
  expires_in: Type.Integer({ description: 'Seconds until the access token expires.' })
})
export type Tokens = Static<typeof Tokens>

/** The caller's MCP key without its secret, or null. */
export const McpKeyResult = Type.Object({
  key: Nullable(Type.Object({
    prefix: Type.String({ description: 'The key prefix, which is public.' }),
    masked: Type.String({ description: 'The key with its secret masked.' }),
    created_at: time('Creation time of the key.'),
    last_used_at: Nullable(time(), 'Last use, to the minute.')
  }), 'The account\'s key; null if there is none.')
})

/** A new MCP key: the only answer that contains the secret. */
export const McpKeyRotated = Type.Object({
  api_key: Type.String({ description: 'The complete key, shown only once.' }),
  prefix: Type.String({ description: 'The key prefix, which is public.' }),
  created_at: time('Creation time of the key.'),
  mcp_url: Type.String({ description: 'MCP endpoint with the key, for clients that accept only a URL.' })
})
export type McpKeyRotated = Static<typeof McpKeyRotated>

/** A new token of the caller's Atom addresses. */
export const FeedTokenRotated = Type.Object({
  feed_token: Type.String({ description: 'Token in Atom feed addresses. Previous addresses stop working.' })
})
