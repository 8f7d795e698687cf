import { isIP } from 'node:net'
import { type Static, type TSchema, Type } from 'typebox'

/** Definition of one environment variable. */
export interface Setting<S extends TSchema = TSchema, V = unknown, O extends boolean = boolean> {
  /** Type, bounds, default and meaning. */
  schema: S
  /** Whether it may be unset. Other settings have a default. */
  optional: O
  /** Secrets are never printed and can also be read from the file NAME_FILE. */
  secret: boolean
  /** Allowed values in words, for schemas with a pattern. */
  allowed: string | undefined
  /** Another setting that must be set with this one, and the reason. */
  requires: { name: string, reason?: string } | undefined
  /** Formats the value for the administration page. Default: String. */
  show: (value: any) => string
  /** The feature that it enables, for the administration page. */
  feature: Feature<V> | undefined
  /** Parses the checked value into the one of Settings. Reports errors to `fail`. */
  read: (value: any, fail: (message: string) => void) => V
}

/** A feature that a setting enables. */
export interface Feature<V> {
  name: string
  /** Whether this value enables it. Default: any value does. */
  isOn?: (value: V) => boolean
  /** Setting whose value is displayed. Default: this one. */
  detailFrom?: string
}

type Options<T, V> = Partial<Pick<Setting, 'allowed' | 'requires' | 'secret'>> & {
  feature?: Feature<V>
  show?: (value: V) => string
  read?: (value: T, fail: (message: string) => void) => V
}

const make = <S extends TSchema, V, O extends boolean>(
  schema: S,
  optional: O,
  { read = value => value as unknown as V, ...options }: Options<Static<S>, V>
): Setting<S, V, O> => ({
    schema,
    optional,
    secret: false,
    allowed: undefined,
    requires: undefined,
    show: String,
    feature: undefined,
    ...options,
    read
  })

/** Defines a setting with a default. */
export const setting = <S extends TSchema, V = Static<S>>(schema: S, options: Options<Static<S>, V> = {}): Setting<S, V, false> =>
  make(schema, false, options)

/** Defines a setting that may be unset. */
export const optional = <S extends TSchema, V = Static<S>>(schema: S, options: Options<Static<S>, V> = {}): Setting<S, V, true> =>
  make(schema, true, options)

/** Reads an http or https address, without slashes at its end. A pattern lets some pass that no request can be sent to. */
export function webAddress (text: string, fail: (message: string) => void): string {
  if (!URL.canParse(text)) fail('is not a valid address: check its host and port.')
  return text.replace(/\/+$/, '')
}

const passwordRules = 'in its password, write # as %23, / as %2F, ? as %3F and % as %25.'

/** Whether an address ends in its password: what follows a password like "12#34" parses as the path, query or fragment. */
const endsInPassword = ({ pathname, hash }: URL, search: string) => `${pathname}${search}${hash}`.includes('@')

/** Checks the address of a database, in which a password may have characters that end it. A host can also be a parameter. */
export function databaseAddress (text: string, fail: (message: string) => void): string {
  const address = text.replace('@/', '@host/')
  const parsed = URL.canParse(address) ? new URL(address) : undefined
  // These values may have an @.
  const search = parsed?.search.replace(/(?<=[?&])(?:user|password|application_name)=[^&]*/g, '') ?? ''
  if (parsed === undefined || endsInPassword(parsed, search)) fail(`is not a valid address: ${passwordRules}`)
  return text
}

/** Checks the address of a mail server, in which a password may have characters that end it. */
export function mailAddress (text: string, fail: (message: string) => void): string {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  // URL checks hosts of https:// only.
  const isValid = parsed !== undefined && URL.canParse(`https://${parsed.host}`) && !endsInPassword(parsed, parsed.search)
  if (!isValid) fail(`is not a valid address: check its host and port; ${passwordRules}`)
  return text
}

/** Defines the base address of an external service, which a mirror can replace. Trailing slashes are removed. */
export const address = (url: string, description: string) => setting(
  Type.String({ pattern: '^https?://[^/?#\\s]+(/[^?#\\s]*)?$', default: url, description }),
  { allowed: 'an http or https address without query or fragment', read: webAddress }
)

/** Defines an http or https address that may be unset. Trailing slashes are removed. */
export const optionalAddress = (description: string, options: Pick<Options<string, string>, 'requires' | 'feature'> = {}) => optional(
  Type.String({ pattern: '^https?://', description }),
  { allowed: 'an http or https address', read: webAddress, ...options }
)

/** Defines a secret that may be unset. */
export const secret = (description: string, options: Pick<Options<string, string>, 'feature'> = {}) =>
  optional(Type.String({ description }), { secret: true, ...options })

/** Splits a comma-separated list and drops empty items. */
const splitList = (text: string): string[] => text.split(',').map(item => item.trim()).filter(item => item !== '')

/** Parses a comma-separated list of origins such as https://app.example.org. */
export function origins (text: string, fail: (message: string) => void): string[] {
  const all = splitList(text)
  for (const origin of all) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      fail(`has "${origin}"; allowed: origins like https://app.example.org, without a path, separated by commas.`)
    }
  }
  return all
}

/** Parses TRUST_PROXY: false for none, true for all, a number of hops, or a list of addresses and networks. */
export function proxies (text: string, fail: (message: string) => void): boolean | number | string[] {
  if (text === '' || text === 'false') return false
  if (text === 'true') return true
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const addresses = splitList(text)
  for (const address of addresses) {
    if (!isNetwork(address)) {
      fail(
        `has "${address}"; allowed: IP addresses and networks like 10.0.0.0/8 or fd00::/8 separated by commas, a number of hops, ` +
          'true or false.'
      )
    }
  }
  return addresses
}

/** Whether a text is an IP address or a network with a valid prefix length. */
function isNetwork (text: string): boolean {
  const [address, bits, ...more] = text.split('/')
  const family = isIP(address!)
  return family !== 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
}
