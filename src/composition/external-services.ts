import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../db/connection.js'
import { smtpMailer } from '../alerts/mail.js'
import { type ExternalConverter, externalConverter } from '../fulltext/external/external.js'
import { fulltextAccess } from '../fulltext/access.js'
import { startSandbox } from '../fulltext/sandbox/sandbox.js'
import type { Metrics } from '../observability/metrics.js'
import { redactSecrets } from '../observability/redaction.js'
import type { AlertServices, ServiceContext, ZoteroServices } from '../operations/context.js'
import type { Log } from '../observability/log.js'
import type { SourceServices } from '../sources/fetching/incremental-fetch.js'
import { dataLimiter } from '../sources/requests/data-limiter.js'
import { hostCooldown, rateLimiter } from '../sources/requests/rate-limiter.js'
import { type ExternalCheck, externalChecks } from './external-checks.js'
import { metered } from '../http/metered-client.js'
import type { HttpClient, HttpRequest, HttpResponse } from '../http/client.js'
import { guardedClient } from '../http/guarded-client.js'
import { relevanceWorker } from '../relevance/worker.js'
import { summaryWriter } from '../relevance/written-summary.js'
import type { Settings } from '../settings/settings.js'
import { europepmc } from '../sources/europepmc.js'
import { maxPausesMs, rateLimitOfGroup } from '../sources/requests/hosts.js'
import { fetchWithRetry, pauseAfter } from '../sources/requests/retry.js'
import { version } from '../settings/version.js'
import { openZotero } from '../zotero/client.js'

/** Clients of external services, their checks, and a function that closes all of them. */
export interface ExternalServices extends Pick<ServiceContext, 'allowsAddress' | 'relevance' | 'fulltext' | 'summaries'> {
  mailer: AlertServices['mailer']
  webhooks: AlertServices['webhooks']
  sourceContext: SourceServices['contextFor']
  pages: SourceServices['pages']
  zotero: ZoteroServices['open']
  checks: ExternalCheck[]
  close: () => Promise<void>
}

/** Cooldown of a host that did not respond: longer than any request waits for a slot. */
const cooldownMs = 120_000

/** Creates the clients of external services from the settings. Threads and child processes start on first use. */
export function openExternalServices ({
  settings,
  db,
  log,
  metrics
}: {
  settings: Settings
  db: Db
  log: Log
  metrics: Metrics
}): ExternalServices {
  const { sources, contactEmail: contact, privateOrigins, arxivHtmlUrl, pmcUrl, converterUrl, zoteroUrl } = settings
  const { llmUrl, llmModel, llmKey, smtpUrl, mailFrom } = settings
  const userAgent = `litfeed/${version} (self-hosted literature feed${contact === undefined ? '' : `; mailto:${contact}`})`
  const guarded = guardedClient({ userAgent, trustedOrigins: privateOrigins })
  const configured = guardedClient({
    userAgent,
    trustedOrigins: [...Object.values(sources).map(({ url }) => url), arxivHtmlUrl, pmcUrl, converterUrl, llmUrl, zoteroUrl]
      .filter(url => url !== undefined)
      .map(url => new URL(url).origin)
  })
  const observe = (service: string) => (outcome: string, seconds: number) => metrics.externalRequests.observe({ service, outcome }, seconds)
  const http: Clients = { db, guarded, configured, observe }
  const { fulltext, external } = openFulltext(settings, http, log)
  const webhooks = metered(guarded, observe('webhook'))
  const pages = metered(guarded, observe('page'))
  const mailer = smtpUrl === undefined ? undefined : smtpMailer({ url: smtpUrl, from: mailFrom! })
  const zoteroClient = metered(configured, observe('zotero'))
  const relevance = relevanceWorker()
  const services = {
    allowsAddress: (url: string) => guarded.allows(url),
    webhooks: {
      fetch: (url: string | URL, request?: HttpRequest) =>
        hostCooldown(db, { host: hostOf(url), cooldownMs })(() => webhooks.fetch(url, request))
    },
    pages: {
      fetch: (url: string | URL, request?: HttpRequest) =>
        dataLimiter(db, url, { cooldownMs, signal: request?.signal })(() => pages.fetch(url, request), pauseOf(url))
    },
    relevance,
    fulltext,
    summaries:
      llmUrl === undefined
        ? undefined
        : summaryWriter({ url: llmUrl, model: llmModel!, apiKey: llmKey, client: metered(configured, observe('summaries')) }),
    mailer,
    zotero: (apiKey: string, signal?: AbortSignal) =>
      openZotero({
        url: zoteroUrl,
        http: zoteroClient,
        wait: (ms, signal) => sleep(ms, undefined, { signal }),
        apiKey,
        signal
      }),
    sourceContext: sourceContextFor(settings, http)
  }
  return {
    ...services,
    checks: externalChecks(settings, { ...services, external, zoteroClient }),
    async close () {
      await Promise.all([guarded.close(), configured.close(), relevance.close(), fulltext.close()])
    }
  }
}

/** Shared by the clients of outside services: `guarded` for addresses from data, `configured` for the operator's, `observe` for metrics. */
interface Clients {
  db: Db
  guarded: HttpClient
  configured: HttpClient
  observe: (service: string) => Parameters<typeof metered>[1]
}

/** Opens the full-text origins and the converters. */
function openFulltext (
  { sources, pmcUrl, arxivHtmlUrl, converterUrl, converterKind }: Settings,
  { db, guarded, configured, observe }: Clients,
  log: Log
): { fulltext: ReturnType<typeof fulltextAccess>, external: ExternalConverter | undefined } {
  const sandbox = startSandbox()
  const external =
    converterUrl === undefined
      ? undefined
      : externalConverter({
        url: converterUrl,
        kind: converterKind,
        sandbox,
        client: metered(configured, observe('converter')),
        onUnexpectedAnswer: detail => log.warn({ detail: redactSecrets(detail) }, 'The external converter did not finish a document.')
      })
  const fulltext = fulltextAccess({
    builtIn: sandbox,
    external,
    onExternalFailure: cause => log.warn({ err: cause }, 'The external converter failed; using the built-in one.'),
    configured: metered(configured, observe('full-text')),
    guarded: metered(guarded, observe('full-text')),
    urls: { europepmc: sources[europepmc.name]!.url, pmc: pmcUrl, arxiv: arxivHtmlUrl },
    slot: (group, signal) => request => rateLimiter(db, { ...rateLimitOfGroup(group), cooldownMs, signal })(request, pauseAfter),
    guardedSlot: (url, signal) => request => dataLimiter(db, url, { cooldownMs, signal })(request, pauseOf(url))
  })
  return { fulltext, external }
}

/** The pause that an answer asks for its own host. A host is not paused for one that it redirected to. */
const pauseOf = (url: string | URL) => (result: HttpResponse) => hostOf(result.url) === hostOf(url) ? pauseAfter(result) : 0

/** How a source is searched: with retries, within its rate limit, at the operator's address with the operator's key. */
const sourceContextFor = (
  { sources, contactEmail: contact }: Settings,
  { db, guarded, configured, observe }: Clients
): SourceServices['contextFor'] =>
  (source, { signal, account, isInteractive } = {}) => {
    const { url: baseUrl, key: apiKey } = sources[source.name] ?? { url: '', key: undefined }
    const intervalMs = (apiKey === undefined ? undefined : source.intervalWithKeyMs) ?? source.intervalMs
    // Projects configure addresses of journal feeds, the operator all others.
    const isFromProject = source.settings === null
    const client = metered(isFromProject ? guarded : configured, observe(source.name))
    const requester = { signal, account, isInteractive }
    const limiterAt = (url: URL) =>
      isFromProject
        ? dataLimiter(db, url, { ...requester, cooldownMs, isFeed: true })
        : rateLimiter(db, { group: source.group, intervalMs, ...requester })
    return {
      fetch: fetchWithRetry({
        client,
        source,
        slot: (url, request, pauseAfter) => limiterAt(url)(request, pauseAfter),
        cooldownMs: isFromProject ? cooldownMs : 0,
        ...(isFromProject ? { maxPauseElsewhereMs: maxPausesMs.host } : {}),
        signal
      }),
      baseUrl,
      contact,
      apiKey,
      account,
      signal
    }
  }

/** Invalid addresses are rejected at fetch time. */
const hostOf = (url: string | URL) => URL.canParse(String(url)) ? new URL(url).host : ''
