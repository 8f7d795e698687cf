import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { buildApp } from '../../src/app.js'
import { accountCreate } from '../../src/operations/accounts/account-create.js'
import { keyRotate } from '../../src/operations/keys/key-rotate.js'
import type { Context, ServiceContext } from '../../src/operations/context.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { ingestImported } from '../../src/papers/ingest-imported.js'
import { scorer } from '../../src/relevance/score.js'
import { type OpenOptions as ServiceOptions, type Service, openService } from '../../src/service.js'
import { readSettings } from '../../src/composition/settings.js'
import type { Settings } from '../../src/settings/settings.js'
import type { Paper, PaperRecord } from '../../schemas/paper.js'
import { type TestDatabase, connectionTimeoutMs, lendDatabase } from './database.js'
import { atEnd } from './end-of-file.js'
import { leaksOf } from './leaks.js'
import { offline } from './offline.js'

/** An account with its password, context and key. */
export interface TestUser {
  email: string
  password: string
  context: Context
  key: string
}

/** A service for one test. */
export interface TestService {
  app: FastifyInstance
  service: Service
  context: ServiceContext
  settings: Settings
  /** All log lines. */
  logged: string[]
  /** Creates an account with a key. */
  user: (email?: string) => Promise<TestUser>
  /** Opens another service on the same database: the same accounts under other settings, or at another time. */
  sibling: (t: Test, environment?: Record<string, string>, clock?: () => Date) => Promise<TestService>
}

/** The JWT secret of tests. */
export const testSecret = 'a secret of the tests, long enough to be one'

/** How long queries of a service wait for a connection; empty: as long as those of a service that is not a test's. */
type ConnectionLimit = Pick<ServiceOptions, 'connectionTimeoutMs'>

/**
 * Opens the service on an empty database, not listening. Closes it when the test ends, and fails the test if a response or log line
 * contained a secret.
 */
export async function testService (
  t: Test,
  environment: Record<string, string> = {},
  clock?: () => Date,
  limit: ConnectionLimit = { connectionTimeoutMs }
): Promise<TestService> {
  return await open(t, { database: { ...await lendDatabase(t), users: 0 }, environment, clock, limit })
}

interface OpenOptions {
  /** The database, with the number of its users. */
  database: TestDatabase & { users: number }
  environment: Record<string, string>
  clock: (() => Date) | undefined
  limit: ConnectionLimit
}

async function open (t: Test, { database, environment, clock, limit }: OpenOptions): Promise<TestService> {
  const { databaseUrl, dataDir } = database
  const settings = readSettings({
    DATA_DIR: dataDir,
    JWT_SECRET: testSecret,
    RATE_LIMIT: '0',
    LOG_LEVEL: 'debug',
    PORT: '0',
    // When background work runs is a matter of chance: tests of its effects run it themselves.
    JOBS: 'off',
    ...offline,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...environment
  })
  const logged: string[] = []
  const write = (data: object, message: string) => {
    logged.push(`${JSON.stringify(data)} ${message}`)
  }
  const service = await openService({
    settings,
    log: { info: write, warn: write, error: write },
    name: 'test',
    share: true,
    ...limit,
    ...(clock === undefined ? {} : { now: clock })
  })
  const app = await buildApp({
    context: service.context,
    settings,
    logStream: {
      write: line => {
        logged.push(line)
      }
    }
  })
  service.logTo(app.log)
  atEnd(t, async () => {
    await app.close()
    await service.close()
    const leaks = leaksOf(app, logged)
    if (leaks.length > 0) throw new Error(leaks.join('\n'))
  })
  const user = async (email = `user${++database.users}@example.org`) => {
    const password = 'correct horse battery'
    const { id } = await accountCreate.run(service.context, { email, password })
    const context: Context = { ...service.context, account: { id } }
    const { api_key: key } = await keyRotate.run(context, {})
    return { email, password, context, key }
  }
  const sibling: TestService['sibling'] = async (t, environment = {}, clock) => await open(t, { database, environment, clock, limit })
  return { app, service, context: service.context, settings, logged, user, sibling }
}

/** A valid record, with defaults for missing fields. */
export const record = (part: Partial<PaperRecord> & { title: string }): PaperRecord => ({
  abstract: null,
  authors: [],
  published_date: null,
  url: null,
  pdf_url: null,
  doi: null,
  venue_name: null,
  external_ids: {},
  source: { name: 'json-lines' },
  source_paper_id: null,
  metadata: {},
  ...part
})

/** A record as the database gives it back. */
export function paperOf (part: Partial<PaperRecord> & { title: string }): Paper {
  const { external_ids, doi, ...rest } = record(part)
  return {
    ...rest,
    doi,
    id: '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11',
    short_id: '0b54c2ab',
    slug: 'x',
    reference_label: null,
    index_url: null,
    markdown_ready: false,
    external_ids: { doi, arxiv: null, pmid: null, pmcid: null, openalex: null, ...external_ids }
  }
}

/** Creates a project of the user with these papers in its feed. @returns its id */
export async function projectWith (
  { context }: TestUser,
  papers: ReadonlyArray<Partial<PaperRecord> & { title: string }>,
  project: Partial<Parameters<typeof projectCreate.run>[1]> = {}
): Promise<string> {
  const { id } = await projectCreate.run(context, { name: 'A project', ...project })
  await addPapers(context, id, papers)
  return id
}

/** Imports papers into a project. */
export async function addPapers (context: Context, projectId: string, papers: ReadonlyArray<Partial<PaperRecord> & { title: string }>) {
  const score = scorer({ interest_description: '', positive_keywords: [], negative_keywords: [], must_read_threshold: 0.6 })
  return await ingestImported(context, {
    projectId,
    openScoring: async () => ({ score: async papers => papers.map(score), entersFeed: () => true, lock: async () => true }),
    records: papers.map((paper, at) => ({ place: at + 1, record: record(paper) }))
  })
}

/** Logs the user in over REST. */
export async function logIn (
  { app }: Pick<TestService, 'app'>,
  { email, password }: TestUser
): Promise<{ access_token: string, refresh_token: string }> {
  const response = await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } })
  return response.json()
}
