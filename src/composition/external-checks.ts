import type { Mailer } from '../alerts/mail.js'
import type { ExternalConverter } from '../fulltext/external/external.js'
import type { SummaryWriter } from '../relevance/written-summary.js'
import type { Settings } from '../settings/settings.js'
import type { Source, SourceContext } from '../sources/source.js'
import { sources } from '../sources/index.js'

/** An outside service, and a check whether it works. */
export interface ExternalCheck {
  name: string
  /** False for a source of papers: feeds go on without one. */
  required: boolean
  /** @returns what it found. @throws if the service cannot be used */
  check (): Promise<string>
}

export interface Checkable {
  sourceContext: (source: Source, signal?: AbortSignal) => SourceContext
  external: ExternalConverter | undefined
  summaries: SummaryWriter | undefined
  mailer: Mailer | undefined
}

const timeoutMs = 20_000
/** An interest that every source has papers for. */
const commonInterest = { positive_keywords: ['cancer'], interest_description: '' }

/** Checks of every source, and of what else the settings name. Each sends a real, small request: an address that merely answers may be the wrong one. */
export function externalChecks ({ smtpUrl }: Settings, { sourceContext, external, summaries, mailer }: Checkable): ExternalCheck[] {
  return [
    ...sources.filter(({ settings }) => settings !== null).map((source): ExternalCheck => ({
      name: `source ${source.title}`,
      required: false,
      check: inTime(signal => askSource(source, sourceContext(source, signal)))
    })),
    ...(external === undefined ? [] : [{ name: 'converter', required: true, check: inTime(signal => external.check(signal)) }]),
    ...(summaries === undefined
      ? []
      : [{ name: 'summaries', required: true, check: inTime(async signal => `wrote: ${(await summaries.write({ title: 'A test', abstract: 'This is a test of the connection. It holds no finding.' }, 'tests', signal)).slice(0, 60)}`) }]),
    smtpUrl === undefined || mailer === undefined
      ? { name: 'mail', required: false, check: async () => 'no SMTP_URL: digests are off' }
      : { name: 'mail', required: true, check: async () => { await mailer.verify(); return 'the server accepts mail' } }
  ]
}

/** Searches for papers on a common subject from yesterday and today, and parses the first page. */
async function askSource (source: Source, context: SourceContext): Promise<string> {
  const day = (ago: number) => new Date(Date.now() - ago * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  const pages = source.search(context, { query: source.buildQuery(commonInterest), from: day(1), to: day(0), cursor: null })[Symbol.asyncIterator]()
  const first = await pages.next()
  await pages.return?.()
  return `${new URL(context.baseUrl).host} responds with ${first.done === true ? 'nothing new' : `${first.value.parsed.length} records on the first page`}`
}

const inTime = (ask: (signal: AbortSignal) => Promise<string>) => async (): Promise<string> => {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    return await ask(signal)
  } catch (error) {
    if (signal.aborted) throw new Error(`It did not respond within ${timeoutMs / 1000} s.`, { cause: error })
    throw error
  }
}
