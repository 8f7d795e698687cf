import { Type } from 'typebox'
import { Words } from '../../schemas/nullable.js'
import {
  address, databaseAddress, mailAddress, optional, optionalAddress, origins, proxies, secret, setting, webAddress
} from './setting.js'

/**
 * Every setting but those of the sources of papers, which are in src/sources. `.env.example`, the table in docs/self-hosting.md, the check
 * at start, the `Settings` that the code gets and the features on the administration page derive from a row.
 */
export const serviceSettings = {
  HOST: setting(
    Type.String({ minLength: 1, default: '127.0.0.1', description: 'Address to listen on. 0.0.0.0 or :: for every network interface.' })
  ),
  PORT: setting(Type.Integer({ minimum: 0, maximum: 65535, default: 8787, description: 'Port to listen on.' })),
  BASE_URL: optional(
    Type.String({
      pattern: '^https?://[^/?#@\\s]+(/[^?#\\s]*)?$',
      description:
        'Address under which people reach the service, as it appears in MCP and Atom addresses: https://litfeed.example.org. Unset: ' +
        'http://HOST:PORT.'
    }),
    {
      allowed: 'an http or https address without user, password, query or fragment, since everybody sees it',
      read: webAddress,
      feature: { name: 'Public address' }
    }
  ),
  DATABASE_URL: optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description: 'PostgreSQL 15 or newer: postgres://user:password@host:5432/litfeed. Unset: the embedded database in DATA_DIR.'
    }),
    {
      secret: true,
      allowed: 'an address that begins with postgres:// or postgresql://',
      read: databaseAddress,
      requires: { name: 'JWT_SECRET', reason: 'every process needs the same. Generate one: openssl rand -hex 32' }
    }
  ),
  DATA_DIR: setting(
    Type.String({ minLength: 1, default: './data', description: 'Directory of the embedded database and of the generated JWT secret.' })
  ),
  JWT_SECRET: optional(
    Type.String({
      minLength: 32,
      description:
        'Signs access and refresh tokens, derives Atom tokens and encrypts keys of Zotero; at least 32 characters, the same in every ' +
        'process. Unset: generated once and stored in DATA_DIR. Required with DATABASE_URL.'
    }),
    { secret: true }
  ),
  ALLOWED_ORIGINS: setting(
    Type.String({
      default: '',
      description:
        "Origins of web pages that may call the service, separated by commas: https://app.example.org. The service's own origin is " +
        'always allowed. Other local pages need their exact origin, with port: http://localhost:6274.'
    }),
    { read: origins }
  ),
  REGISTRATION: setting(
    Words(['first', 'open', 'closed'], {
      default: 'first',
      description: 'Registration over HTTP: by the first account only, by anyone, or by nobody (create accounts with litfeed user create).'
    }),
    {
      show: value => value === 'open' ? 'Anyone' : 'First account only',
      feature: { name: 'Registration', isOn: value => value !== 'closed' }
    }
  ),
  RATE_LIMIT: setting(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      default: 600,
      description: 'Calls of MCP tools and REST per key and minute, and five times as many MCP prompts, completions and resources; ' +
        'the sessions of an account count together. 0: no limit.'
    }),
    {
      show: value => `${value} calls per minute`,
      feature: { name: 'Rate limit', isOn: value => value > 0 }
    }
  ),
  MAX_CONCURRENT_REQUESTS: setting(
    Type.Integer({
      minimum: 2,
      maximum: 1000,
      default: 6,
      description:
        'Concurrent requests of one account over MCP, REST and web pages. More requests wait; an account with 200 waiting requests gets ' +
        '429, and tool calls the error rate_limited.'
    })
  ),
  MAX_PROJECTS: setting(Type.Integer({ minimum: 1, maximum: 100_000, default: 200, description: 'Projects per account.' })),
  MAX_PAPERS: setting(Type.Integer({
    minimum: 1,
    maximum: 100_000_000,
    default: 1_000_000,
    description:
      'Papers from files, Zotero and journal feeds per account, with 10 KiB each on average. Its feeds may have five times as many, from ' +
      'all sources.'
  })),
  UPLOAD_QUOTA: setting(Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 1000,
    description:
      'MiB that an account may use for uploads that wait for their job, and for the texts of its PDFs and of papers from files, Zotero ' +
      'and journal feeds. 0: no limit.'
  }), {
    show: value => `${value} MiB per account`,
    feature: { name: 'Upload quota', isOn: value => value > 0 }
  }),
  TEXT_STORAGE: setting(Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 20_000,
    description:
      'MiB of full texts that all accounts share. Beyond it, those that nobody has read for longest are deleted, and converted again ' +
      'when somebody asks for them. 0: no limit.'
  }), {
    show: value => `${value} MiB for all accounts`,
    feature: { name: 'Storage of full texts', isOn: value => value > 0 }
  }),
  TRUST_PROXY: setting(Type.String({
    default: '',
    description:
      'Reverse proxies whose X-Forwarded-For is trusted: addresses or networks separated by commas (127.0.0.1, 10.0.0.0/8), a number of ' +
      'hops, or true for all, where nobody else can reach the service. Empty or false: none.'
  }), { read: proxies }),
  CONTACT_EMAIL: optional(Type.String({
    pattern: '^[^@\\s]+@[^@\\s]+$',
    description:
      'Your email address, sent to the sources of papers, which ask for one: you@example.org. They respond faster, and contact you ' +
      'before they block requests.'
  }), {
    allowed: 'an email address',
    feature: { name: 'Contact for sources' }
  }),
  ARXIV_HTML_URL: address('https://arxiv.org', 'Address of arXiv\'s HTML and PDF.'),
  PMC_URL: address('https://pmc-oa-opendata.s3.amazonaws.com', 'Address of PubMed Central\'s open-access bucket.'),
  ZOTERO_URL: address('https://api.zotero.org', 'Address of Zotero\'s API, for accounts that connect their library.'),
  FETCH_INTERVAL: setting(Type.Integer({ minimum: 1, maximum: 168, default: 6, description: 'Hours between two fetches from a source.' }), {
    show: hours => `Fetches from sources every ${hours === 1 ? 'hour' : `${hours} hours`}`
  }),
  FETCH_DAYS: setting(Type.Integer({
    minimum: 1,
    maximum: 365,
    default: 30,
    description:
      'Days back that the first fetch of a project covers.'
  })),
  WATCH_DAYS: setting(Type.Integer({
    minimum: 0,
    maximum: 365,
    default: 7,
    description:
      'Days between two checks of a paper that somebody starred, upvoted, saved or cited, for retractions, withdrawals, ' +
      'corrections, published forms and new versions; 0 is off.'
  })),
  JOBS: setting(Words(['on', 'off'], {
    default: 'on',
    description:
      'Whether this process does background work. Where several processes share a database, some can leave it to the others.'
  }), {
    feature: { name: 'Background work', isOn: value => value === 'on', detailFrom: 'FETCH_INTERVAL' }
  }),
  BACKUP_DIR: optional(
    Type.String({
      minLength: 1,
      description: 'Directory for scheduled backups, created if missing, readable by its owner only. Unset: none are made.'
    }),
    { feature: { name: 'Scheduled backups', detailFrom: 'BACKUP_EVERY' } }
  ),
  BACKUP_EVERY: setting(Type.Integer({ minimum: 1, maximum: 168, default: 24, description: 'Hours between two scheduled backups.' }), {
    show: hours => `Every ${hours === 1 ? 'hour' : `${hours} hours`}`
  }),
  BACKUP_KEEP: setting(
    Type.Integer({ minimum: 1, maximum: 1000, default: 7, description: 'Scheduled backups to keep; older ones are deleted.' })
  ),
  PRIVATE_ORIGINS: setting(Type.String({
    default: '',
    description:
      'Origins in your own network that feeds, PDF links and webhooks may reach, separated by commas: ' +
      'http://repository.lab.example:8080. Everything else that is not on the public Internet is refused.'
  }), { read: origins }),
  CONVERTER_URL: optionalAddress(
    'An external PDF converter: docling-serve or GROBID. The built-in converter takes over if it fails.',
    { feature: { name: 'External PDF converter', detailFrom: 'CONVERTER_KIND' } }
  ),
  CONVERTER_KIND: setting(Words(['docling', 'grobid'], { default: 'docling', description: 'Type of the converter at CONVERTER_URL.' })),
  LLM_URL: optionalAddress(
    'An OpenAI-compatible endpoint that writes summaries: https://llm.example.org/v1. Unset: summaries are sentences of the abstract.',
    { requires: { name: 'LLM_MODEL' }, feature: { name: 'Written summaries', detailFrom: 'LLM_MODEL' } }
  ),
  LLM_MODEL: optional(Type.String({ minLength: 1, description: 'The model at LLM_URL. Required with it.' })),
  LLM_KEY: secret('The key for LLM_URL.'),
  LLM_DAILY_CALLS: setting(Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 200,
    description:
      'Calls of the model at LLM_URL for an account in a day (UTC), one for each summary. Beyond it, summaries are sentences of the ' +
      'abstract. 0: no limit.'
  })),
  SMTP_URL: optional(
    Type.String({
      pattern: '^smtps?://',
      description: 'Mail server for digests, invitations, confirmations and password links: smtps://user:password@mail.example.org. ' +
        'Unset: no mail.'
    }),
    {
      secret: true,
      allowed: 'an address that begins with smtp:// or smtps://',
      read: mailAddress,
      requires: { name: 'MAIL_FROM' },
      feature: { name: 'Mail', detailFrom: 'MAIL_FROM' }
    }
  ),
  MAIL_FROM: optional(
    Type.String({ pattern: '@', description: 'Sender of all mail: Litfeed <litfeed@example.org>. Required with SMTP_URL.' }),
    { allowed: 'an email address, with or without a name before it' }
  ),
  LOG_LEVEL: setting(
    Words(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      default: 'info',
      description: 'Log level of the JSON lines on standard output.'
    })
  )
}
