import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { Ajv } from 'ajv'
import { SettingsSchema } from '../../schemas/settings.js'

/** What the service runs with: the environment, checked, with its defaults. */
export interface Settings {
  host: string
  port: number
  /** Without a slash at its end; undefined: made from the address that the service listens on. */
  baseUrl: string | undefined
  databaseUrl: string | undefined
  dataDir: string
  jwtSecret: string | undefined
  allowedOrigins: string[]
  registration: SettingsSchema['REGISTRATION']
  rateLimit: number
  /** As Fastify takes it: nobody, everybody, so many hops, or these addresses. */
  trustProxy: boolean | number | string[]
  logLevel: SettingsSchema['LOG_LEVEL']
  contact: string | undefined
  /** Base addresses of the outside services by the names of their settings, without a slash at their ends. */
  addresses: Record<AddressName, string>
  /** Keys at the sources, by the sources' names. */
  sourceKeys: Record<string, string | undefined>
  /** Milliseconds from one look at a source to the next, and days that the first look goes back. */
  fetching: { interval: number, days: number }
  jobs: boolean
  privateOrigins: string[]
  converter: { url: string, kind: SettingsSchema['CONVERTER_KIND'] } | undefined
  llm: { url: string, model: string, apiKey: string | undefined } | undefined
  smtp: { url: string, from: string } | undefined
}

export const addressNames = ['ARXIV_URL', 'ARXIV_HTML_URL', 'PUBMED_URL', 'EUROPEPMC_URL', 'PMC_URL', 'BIORXIV_URL', 'OPENALEX_URL', 'CROSSREF_URL'] as const
export type AddressName = typeof addressNames[number]

/** Settings that cannot be used; the message names every one of them and what is allowed. */
export class WrongSettings extends Error {
  constructor (faults: string[]) {
    super(`The settings cannot be used:\n${faults.map(fault => `  ${fault}`).join('\n')}\nSee .env.example for every setting and its default.`)
  }
}

type Property = { type: string, enum?: string[], 'x-secret'?: boolean, 'x-allowed'?: string, minimum?: number, maximum?: number, minLength?: number }
const properties = SettingsSchema.properties as unknown as Record<string, Property>
const check = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true, strictSchema: false }).compile<SettingsSchema>(SettingsSchema)

/** Takes what a file .env in the working directory sets; the environment itself stands over it. */
export function loadEnvironmentFile (): void {
  if (existsSync('.env')) process.loadEnvFile('.env')
}

/**
 * Reads the settings, all faults at once.
 * @throws WrongSettings
 */
export function readSettings (environment: NodeJS.ProcessEnv = process.env): Settings {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    const value = readOne(name, property, environment, faults)
    if (value !== undefined) values[name] = value
  }
  if (!check(values)) {
    for (const { instancePath } of check.errors!) {
      const name = instancePath.slice(1)
      faults.push(`${name} is ${shown(name, environment[name])}; allowed: ${allowed(properties[name]!)}.`)
    }
  }
  // Ajv reads "Infinity" as a number, and asks such a one nothing further.
  for (const [name, value] of Object.entries(values)) if (value === Infinity || value === -Infinity) faults.push(`${name} is ${shown(name, environment[name])}; allowed: ${allowed(properties[name]!)}.`)
  const settings = values as SettingsSchema
  const allowedOrigins = list(settings.ALLOWED_ORIGINS)
  const privateOrigins = list(settings.PRIVATE_ORIGINS)
  for (const [name, origins] of [['ALLOWED_ORIGINS', allowedOrigins], ['PRIVATE_ORIGINS', privateOrigins]] as const) {
    for (const origin of origins) {
      if (!URL.canParse(origin) || new URL(origin).origin !== origin) faults.push(`${name} has "${origin}"; allowed: origins like https://app.example.org, without a path, separated by commas.`)
    }
  }
  for (const [name, needed] of [['LLM_URL', 'LLM_MODEL'], ['SMTP_URL', 'MAIL_FROM']] as const) {
    if (settings[name] !== undefined && settings[needed] === undefined) faults.push(`${needed} is not set; it is required with ${name}.`)
  }
  const trustProxy = readTrustProxy(settings.TRUST_PROXY, faults)
  if (settings.DATABASE_URL !== undefined && settings.JWT_SECRET === undefined) {
    faults.push('JWT_SECRET is not set; it is required with DATABASE_URL, so that every process has the same. Make one: openssl rand -hex 32')
  }
  if (faults.length > 0) throw new WrongSettings([...new Set(faults)])
  return {
    host: settings.HOST,
    port: settings.PORT,
    baseUrl: settings.BASE_URL === undefined ? undefined : bare(settings.BASE_URL),
    databaseUrl: settings.DATABASE_URL,
    dataDir: settings.DATA_DIR,
    jwtSecret: settings.JWT_SECRET,
    allowedOrigins,
    registration: settings.REGISTRATION,
    rateLimit: settings.RATE_LIMIT,
    trustProxy,
    logLevel: settings.LOG_LEVEL,
    contact: settings.CONTACT_EMAIL,
    addresses: Object.fromEntries(addressNames.map(name => [name, bare(settings[name])])) as Settings['addresses'],
    sourceKeys: { pubmed: settings.PUBMED_API_KEY, openalex: settings.OPENALEX_API_KEY },
    fetching: { interval: settings.FETCH_INTERVAL * 60 * 60 * 1000, days: settings.FETCH_DAYS },
    jobs: settings.JOBS === 'on',
    privateOrigins,
    converter: settings.CONVERTER_URL === undefined ? undefined : { url: bare(settings.CONVERTER_URL), kind: settings.CONVERTER_KIND },
    llm: settings.LLM_URL === undefined ? undefined : { url: bare(settings.LLM_URL), model: settings.LLM_MODEL!, apiKey: settings.LLM_KEY },
    smtp: settings.SMTP_URL === undefined ? undefined : { url: settings.SMTP_URL, from: settings.MAIL_FROM! }
  }
}

/** An empty value counts as not set: that is how container and unit files leave a setting out. */
function readOne (name: string, property: Property, environment: NodeJS.ProcessEnv, faults: string[]): string | undefined {
  const value = environment[name]?.trim()
  const file = property['x-secret'] === true ? environment[`${name}_FILE`] : undefined
  if (value) return value
  if (!file) return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    faults.push(`${name}_FILE names ${file}, which cannot be read (${(cause as NodeJS.ErrnoException).code}).`)
    return undefined
  }
}

function readTrustProxy (text: string, faults: string[]): Settings['trustProxy'] {
  if (text === '' || text === 'false') return false
  if (text === 'true') return true
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const addresses = list(text)
  for (const address of addresses) {
    if (!isNetwork(address)) faults.push(`TRUST_PROXY has "${address}"; allowed: IP addresses and networks like 10.0.0.0/8 or fd00::/8 separated by commas, a number of hops, true or false.`)
  }
  return addresses
}

/** An address, or a network with as many bits before the rest as its family has at most. */
function isNetwork (text: string): boolean {
  const [address, bits, ...more] = text.split('/')
  const family = isIP(address!)
  return family !== 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
}

const bare = (address: string) => address.replace(/\/+$/, '')

const list = (text: string | undefined) => (text ?? '').split(',').map(each => each.trim()).filter(each => each !== '')

/** Credentials in an address are kept out, too. */
const shown = (name: string, value: string | undefined) => properties[name]!['x-secret'] === true ? 'not usable (its value is kept out of this message)' : `"${value?.replace(/\/\/.*@/, '//…@')}"`

function allowed ({ type, enum: words, 'x-allowed': form, minimum, maximum, minLength }: Property): string {
  if (words !== undefined) return words.join(', ')
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`
  return form ?? `at least ${minLength} characters`
}
