import { type Static, Type } from 'typebox'
import { Words } from './nullable.js'

/** Marks a setting that holds a secret: it may also come from a file that NAME_FILE names, and is never printed. */
const secret = { 'x-secret': true }

/** Marks a setting with a pattern: what it allows, in the words of the check's message. */
const allowed = (words: string) => ({ 'x-allowed': words })

/** Where an outside service answers: a mirror or a stand-in can take its place. */
const Address = (url: string, what: string) => Type.String({ pattern: '^https?://[^/?#\\s]+(/[^?#\\s]*)?$', ...allowed('an http or https address without query or fragment'), default: url, description: `Address of ${what}` })

/**
 * The environment, setting by setting. `.env.example`, the table in docs/self-hosting.md and the check at start are made from this.
 */
export const SettingsSchema = Type.Object({
  HOST: Type.String({ minLength: 1, default: '127.0.0.1', description: 'Address to listen on. 0.0.0.0 or :: for every network interface.' }),
  PORT: Type.Integer({ minimum: 0, maximum: 65535, default: 8787, description: 'Port to listen on.' }),
  BASE_URL: Type.Optional(Type.String({ pattern: '^https?://[^/?#@\\s]+(/[^?#\\s]*)?$', ...allowed('an http or https address without user, password, query or fragment, since everybody sees it'), description: 'Address under which people reach the service, as it appears in MCP and Atom addresses: https://litfeed.example.org. Unset: http://HOST:PORT.' })),
  DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://', ...secret, ...allowed('an address that begins with postgres:// or postgresql://'), description: 'PostgreSQL 15 or newer: postgres://user:password@host:5432/litfeed. Unset: the embedded database in DATA_DIR.' })),
  DATA_DIR: Type.String({ minLength: 1, default: './data', description: 'Directory of the embedded database and of the generated JWT secret.' }),
  JWT_SECRET: Type.Optional(Type.String({ minLength: 32, ...secret, description: 'Signs access and refresh tokens and derives Atom tokens; at least 32 characters, the same in every process. Unset: made once and kept in DATA_DIR. Required with DATABASE_URL.' })),
  ALLOWED_ORIGINS: Type.String({ default: '', description: 'Origins of web pages that may call the service, separated by commas: https://app.example.org. The service\'s own origin is always allowed, and on a loopback HOST every loopback origin.' }),
  REGISTRATION: Words(['first', 'open', 'closed'], { default: 'first', description: 'Who may register over HTTP: only the first account, anybody, or nobody (accounts are then made with litfeed user create).' }),
  RATE_LIMIT: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 600, description: 'MCP tool calls and REST calls per key and minute. 0: no limit.' }),
  TRUST_PROXY: Type.String({ default: '', description: 'Reverse proxies whose X-Forwarded-For is believed: addresses or networks separated by commas (127.0.0.1, 10.0.0.0/8), a number of hops, or true for all, where nobody else can reach the service. Empty or false: none.' }),
  CONTACT_EMAIL: Type.Optional(Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$', ...allowed('an email address'), description: 'Your mail address, told to the sources of papers, which ask for one: you@example.org. They answer faster and write before they block.' })),
  ARXIV_URL: Address('https://export.arxiv.org', 'arXiv\'s API.'),
  ARXIV_HTML_URL: Address('https://arxiv.org', 'arXiv\'s HTML and PDF.'),
  PUBMED_URL: Address('https://eutils.ncbi.nlm.nih.gov/entrez/eutils', 'NCBI\'s E-utilities.'),
  PUBMED_API_KEY: Type.Optional(Type.String({ ...secret, description: 'Key of an NCBI account: ten requests a second instead of three.' })),
  EUROPEPMC_URL: Address('https://www.ebi.ac.uk/europepmc/webservices/rest', 'Europe PMC\'s REST service.'),
  PMC_URL: Address('https://pmc-oa-opendata.s3.amazonaws.com', 'PubMed Central\'s open-access bucket.'),
  BIORXIV_URL: Address('https://api.biorxiv.org', 'The API of bioRxiv and medRxiv.'),
  OPENALEX_URL: Address('https://api.openalex.org', 'OpenAlex.'),
  OPENALEX_API_KEY: Type.Optional(Type.String({ ...secret, description: 'Key of an OpenAlex account, which is free; without one OpenAlex answers little.' })),
  CROSSREF_URL: Address('https://api.crossref.org', 'Crossref.'),
  FETCH_INTERVAL: Type.Integer({ minimum: 1, maximum: 168, default: 6, description: 'Hours from one look at a source to the next.' }),
  FETCH_DAYS: Type.Integer({ minimum: 1, maximum: 365, default: 30, description: 'How many days back a new project looks.' }),
  JOBS: Words(['on', 'off'], { default: 'on', description: 'Whether this process does background work. Where several processes share a database, some can leave it to the others.' }),
  PRIVATE_ORIGINS: Type.String({ default: '', description: 'Origins in your own network that feeds, PDF links and webhooks may reach, separated by commas: http://repository.lab.example:8080. Everything else that is not on the public Internet is refused.' }),
  CONVERTER_URL: Type.Optional(Type.String({ pattern: '^https?://', ...allowed('an http or https address'), description: 'An external PDF converter: docling-serve or GROBID. Litfeed\'s own takes over where it fails.' })),
  CONVERTER_KIND: Words(['docling', 'grobid'], { default: 'docling', description: 'What answers at CONVERTER_URL.' }),
  LLM_URL: Type.Optional(Type.String({ pattern: '^https?://', ...allowed('an http or https address'), description: 'An OpenAI-compatible endpoint that writes summaries: https://llm.example.org/v1. Unset: summaries are sentences of the abstract.' })),
  LLM_MODEL: Type.Optional(Type.String({ minLength: 1, description: 'The model at LLM_URL. Required with it.' })),
  LLM_KEY: Type.Optional(Type.String({ ...secret, description: 'The key for LLM_URL.' })),
  SMTP_URL: Type.Optional(Type.String({ pattern: '^smtps?://', ...secret, ...allowed('an address that begins with smtp:// or smtps://'), description: 'Server that digests are sent by: smtps://user:password@mail.example.org. Unset: no mail.' })),
  MAIL_FROM: Type.Optional(Type.String({ pattern: '@', ...allowed('an email address, with or without a name before it'), description: 'Sender of digests: Litfeed <litfeed@example.org>. Required with SMTP_URL.' })),
  LOG_LEVEL: Words(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], { default: 'info', description: 'How much is logged, as JSON lines on standard output.' })
})
export type SettingsSchema = Static<typeof SettingsSchema>
