import { dayAfter, dayOf } from '../../schemas/utc-time.js'
import type { Mailer } from '../alerts/mail.js'
import type { HttpClient } from '../http/client.js'
import type { ExternalConverter } from '../fulltext/external/external.js'
import type { SummaryWriter } from '../relevance/written-summary.js'
import type { Settings } from '../settings/settings.js'
import type { Source, SourceContext } from '../sources/source.js'
import { sources } from '../sources/index.js'

/** A check of an external service. */
export interface ExternalCheck {
  name: string
  /** False for sources, since feeds work without one of them. */
  required: boolean
  /** @returns the result in words. @throws if the service is unusable */
  check (): Promise<string>
}

/** Clients of the services to check. */
export interface CheckedServices {
  sourceContext: (source: Source, caller?: { signal?: AbortSignal }) => SourceContext
  external: ExternalConverter | undefined
  summaries: SummaryWriter | undefined
  mailer: Mailer | undefined
  zoteroClient: HttpClient
}

const timeoutMs = 20_000
/** An interest with papers in every source. */
const commonInterest = { positive_keywords: ['cancer'], interest_description: '' }

/** Returns checks of all sources and configured services. Each sends a small real request, since a wrong address can respond too. */
export function externalChecks (
  { smtpUrl, zoteroUrl }: Settings,
  { sourceContext, external, summaries, mailer, zoteroClient }: CheckedServices
): ExternalCheck[] {
  return [
    ...sources.filter(({ settings }) => settings !== null).map((source): ExternalCheck => ({
      name: `source ${source.title}`,
      required: false,
      check: withTimeout(signal => askSource(source, sourceContext(source, { signal })))
    })),
    { name: 'Zotero', required: false, check: withTimeout(signal => askZotero(zoteroClient, zoteroUrl, signal)) },
    ...(external === undefined ? [] : [{ name: 'converter', required: true, check: withTimeout(signal => external.check(signal)) }]),
    ...(summaries === undefined
      ? []
      : [{
          name: 'summaries',
          required: true,
          check: withTimeout(async signal => {
            const paper = { title: 'A test', abstract: 'This is a test of the connection. It holds no finding.' }
            return `wrote: ${(await summaries.write(paper, 'tests', signal)).slice(0, 60)}`
          })
        }]),
    smtpUrl === undefined || mailer === undefined
      ? { name: 'mail', required: false, check: async () => 'SMTP_URL is not set: no digests' }
      : { name: 'mail', required: true, check: async () => { await mailer.verify(); return 'the server accepts mail' } }
  ]
}

/** Searches for papers on a common subject from yesterday and today, and parses the first page. */
async function askSource (source: Source, context: SourceContext): Promise<string> {
  const today = dayOf(new Date())
  const found = source.search(context, { query: source.buildQuery(commonInterest), from: dayAfter(today, -1), to: today, cursor: null })
  const pages = found[Symbol.asyncIterator]()
  const first = await pages.next()
  await pages.return?.()
  const answer = first.done === true ? 'nothing new' : `${first.value.parsed.length} records on the first page`
  return `${new URL(context.baseUrl).host} responds with ${answer}`
}

/** Each account has a key of its own. Without one, Zotero's API says that it does not know the key. */
async function askZotero (client: HttpClient, url: string, signal: AbortSignal): Promise<string> {
  const request = { headers: { 'zotero-api-version': '3' }, maxBytes: 100_000, timeoutMs, signal }
  const { status } = await client.fetch(new URL(`${url}/keys/current`), request)
  if (status !== 200 && ![401, 403, 404].includes(status)) throw new Error(`Zotero refused the request (status ${status}).`)
  return `${new URL(url).host} responds`
}

const withTimeout = (ask: (signal: AbortSignal) => Promise<string>) => async (): Promise<string> => {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    return await ask(signal)
  } catch (error) {
    if (signal.aborted) throw new Error(`It did not respond within ${timeoutMs / 1000} s.`, { cause: error })
    throw error
  }
}
