import { isIP } from 'node:net'
import { type Static, type TSchema, Type } from 'typebox'

/** Everything that the service knows about one environment variable. */
export interface Setting<S extends TSchema = TSchema, V = unknown, O extends boolean = boolean> {
  /** Type, bounds, default and meaning. */
  schema: S
  /** May be unset: has no default. */
  optional: O
  /** A secret: may also come from the file that NAME_FILE names, and is never printed. */
  secret: boolean
  /** What the schema's pattern allows, in words. */
  allowed: string | undefined
  /** A setting that this one needs, and why. */
  requires: { name: string, reason?: string } | undefined
  /** The value for the administration page; by default as it is. */
  show: (value: any) => string
  /** What it turns on, for the administration page. */
  feature: Feature<V> | undefined
  /** The value that reaches the code, as Settings[name in camel case]. Reports what is not allowed. */
  read: (value: any, fault: (message: string) => void) => V
}

export interface Feature<V> {
  name: string
  /** Whether this value turns it on; by default any value does. */
  isOn?: (value: V) => boolean
  /** The setting whose value is shown; by default this one. */
  detailFrom?: string
}

type Options<T, V> = Partial<Pick<Setting, 'allowed' | 'requires' | 'secret'>> & { feature?: Feature<V>, show?: (value: V) => string, read?: (value: T, fault: (message: string) => void) => V }

const make = <S extends TSchema, V, O extends boolean>(schema: S, optional: O, { read = value => value as unknown as V, ...options }: Options<Static<S>, V>): Setting<S, V, O> =>
  ({ schema, optional, secret: false, allowed: undefined, requires: undefined, show: String, feature: undefined, ...options, read })

/** A setting with a default. */
export const setting = <S extends TSchema, V = Static<S>>(schema: S, options: Options<Static<S>, V> = {}): Setting<S, V, false> => make(schema, false, options)

/** A setting that may be unset. */
export const optional = <S extends TSchema, V = Static<S>>(schema: S, options: Options<Static<S>, V> = {}): Setting<S, V, true> => make(schema, true, options)

const withoutSlash = (address: string) => address.replace(/\/+$/, '')

/** Address of an outside service, which a mirror or a stand-in can replace; read without a slash at its end. */
export const address = (url: string, description: string) => setting(
  Type.String({ pattern: '^https?://[^/?#\\s]+(/[^?#\\s]*)?$', default: url, description }),
  { allowed: 'an http or https address without query or fragment', read: withoutSlash }
)

/** An http or https address that may be unset; read without a slash at its end. */
export const optionalAddress = (description: string, options: Pick<Options<string, string>, 'requires' | 'feature'> = {}) => optional(
  Type.String({ pattern: '^https?://', description }),
  { allowed: 'an http or https address', read: withoutSlash, ...options }
)

/** A secret that may be unset. */
export const secret = (description: string, options: Pick<Options<string, string>, 'feature'> = {}) => optional(Type.String({ description }), { secret: true, ...options })

/** The parts of a comma-separated list. */
export const parts = (text: string): string[] => text.split(',').map(part => part.trim()).filter(part => part !== '')

/** Origins such as https://app.example.org, separated by commas. */
export function origins (text: string, fault: (message: string) => void): string[] {
  const all = parts(text)
  for (const origin of all) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) fault(`has "${origin}"; allowed: origins like https://app.example.org, without a path, separated by commas.`)
  }
  return all
}

/** Reverse proxies as Fastify takes them: none, all, a number of hops, or these addresses and networks. */
export function proxies (text: string, fault: (message: string) => void): boolean | number | string[] {
  if (text === '' || text === 'false') return false
  if (text === 'true') return true
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const addresses = parts(text)
  for (const address of addresses) {
    if (!isNetwork(address)) fault(`has "${address}"; allowed: IP addresses and networks like 10.0.0.0/8 or fd00::/8 separated by commas, a number of hops, true or false.`)
  }
  return addresses
}

/** An IP address, or a network whose prefix its address family can have. */
function isNetwork (text: string): boolean {
  const [address, bits, ...more] = text.split('/')
  const family = isIP(address!)
  return family !== 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
}
