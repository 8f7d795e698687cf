import type { Db } from '../../db/connection.js'
import { smtpMailer } from '../alerts/mail.js'
import { externalConverter } from '../fulltext/external/external.js'
import { fulltextAccess } from '../fulltext/access.js'
import { startSandbox } from '../fulltext/sandbox/sandbox.js'
import type { Metrics } from '../observability/metrics.js'
import type { AlertServices, ServiceContext, SourceServices } from '../operations/context.js'
import type { Log } from '../observability/log.js'
import { databaseRest, databaseTurn } from '../sources/rate-limiter.js'
import { type OutsideCheck, outsideChecks } from './external-checks.js'
import { counted } from '../http/metered-client.js'
import type { OutsideRequest } from '../http/client.js'
import { outsideClient } from '../http/guarded-client.js'
import { relevanceThread } from '../relevance/worker.js'
import { summaryWriter } from '../relevance/written-summary.js'
import type { AddressName, Settings } from '../settings/settings.js'
import { paceOf } from '../sources/hosts.js'
import { patientFetch } from '../sources/retry.js'
import { findSource } from '../sources/index.js'
import type { Source } from '../sources/source.js'
import { version } from '../settings/version.js'

/** What reaches addresses outside, and a way to check and to close all of it. */
export interface ExternalServices extends Pick<ServiceContext, 'relevance' | 'fulltext' | 'summaries'> {
  mailer: AlertServices['mailer']
  webhooks: AlertServices['webhooks']
  sourceContext: SourceServices['contextFor']
  checks: OutsideCheck[]
  close: () => Promise<void>
}

/** Pace at services of full text that are no sources, in milliseconds. */
const pace = 500
/** Milliseconds that a host is left alone after it did not answer: longer than anybody waits for a turn. */
const rest = 120_000

/** What operations reach the outside with, as the settings have it. Threads and processes behind it start at their first use. */
export function openOutside ({ settings, db, log, metrics }: { settings: Settings, db: Db, log: Log, metrics: Metrics }): ExternalServices {
  const { addresses, contact, sourceKeys, privateOrigins, converter, llm, smtp } = settings
  const userAgent = `litfeed/${version} (self-hosted literature feed${contact === undefined ? '' : `; mailto:${contact}`})`
  const guarded = outsideClient({ userAgent, trustedOrigins: privateOrigins })
  const configured = outsideClient({ userAgent, trustedOrigins: [...Object.values(addresses), converter?.url, llm?.url].filter(url => url !== undefined).map(url => new URL(url).origin) })
  const told = (service: string) => (outcome: string, seconds: number) => metrics.outside.observe({ service, outcome }, seconds)
  const external = converter === undefined ? undefined : externalConverter({ ...converter, client: counted(configured, told('converter')) })
  const webhooks = counted(guarded, told('webhook'))
  const mailer = smtp === undefined ? undefined : smtpMailer(smtp)
  const relevance = relevanceThread()
  const fulltext = fulltextAccess({
    builtIn: startSandbox(),
    external,
    onExternalFailure: cause => log.warn({ err: cause }, 'The external converter failed; the built-in one takes over.'),
    configured: counted(configured, told('full-text')),
    guarded: counted(guarded, told('full-text')),
    urls: { europepmc: addresses.EUROPEPMC_URL, pmc: addresses.PMC_URL, arxiv: addresses.ARXIV_HTML_URL },
    turn: (group, signal) => databaseTurn(db, { group, interval: findSource(group)?.interval ?? pace, rest, signal }),
    guardedTurn: (url, signal) => databaseTurn(db, { ...paceOf(url), rest, signal })
  })
  const services = {
    webhooks: { fetch: (url: string | URL, request?: OutsideRequest) => databaseRest(db, { host: hostOf(url), rest })(() => webhooks.fetch(url, request)) },
    relevance,
    fulltext,
    summaries: llm === undefined ? undefined : summaryWriter({ ...llm, client: counted(configured, told('summaries')) }),
    mailer,
    sourceContext (source: Source, signal?: AbortSignal) {
      const apiKey = sourceKeys[source.name]
      const interval = (apiKey === undefined ? undefined : source.intervalWithKey) ?? source.interval
      // A feed's address stands in data; the others are the operator's.
      const isData = source.urlSetting === null
      const client = counted(isData ? guarded : configured, told(source.name))
      return {
        fetch: patientFetch({ client, source, turn: (url, work, pause) => databaseTurn(db, { ...isData ? paceOf(url) : { group: source.group, interval }, signal })(work, pause), rest: isData ? rest : 0, signal }),
        baseUrl: isData ? '' : addresses[source.urlSetting as AddressName],
        contact,
        apiKey
      }
    }
  }
  return {
    ...services,
    checks: outsideChecks(settings, { ...services, external }),
    async close () {
      await Promise.all([guarded.close(), configured.close(), relevance.close(), fulltext.close()])
    }
  }
}

/** What is no address is refused by who is to fetch it. */
const hostOf = (url: string | URL) => URL.canParse(String(url)) ? new URL(url).host : ''
