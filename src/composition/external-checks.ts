import type { Mailer } from '../alerts/mail.js'
import type { ExternalConverter } from '../fulltext/external/external.js'
import type { SummaryWriter } from '../relevance/written-summary.js'
import type { Settings } from '../settings/settings.js'
import type { Source, SourceContext } from '../sources/source.js'
import { sources } from '../sources/index.js'

/** Something outside that the service depends on, and a way to see whether it is there. */
export interface OutsideCheck {
  name: string
  /** False for a source of papers: any of them may have a bad day, and feeds go on. */
  required: boolean
  /** @returns what was found. @throws where it cannot be used */
  check (): Promise<string>
}

export interface Checkable {
  sourceContext: (source: Source, signal?: AbortSignal) => SourceContext
  external: ExternalConverter | undefined
  summaries: SummaryWriter | undefined
  mailer: Mailer | undefined
}

const patience = 20_000
/** What every index has papers of. */
const common = { positive_keywords: ['cancer'], interest_description: '' }

/** What can be looked at from here: every source, and what else the settings name. Each is asked a real, small question: an address that merely answers may be the wrong one. */
export function outsideChecks ({ smtp }: Settings, { sourceContext, external, summaries, mailer }: Checkable): OutsideCheck[] {
  return [
    ...sources.filter(({ urlSetting }) => urlSetting !== null).map((source): OutsideCheck => ({
      name: `source ${source.title}`,
      required: false,
      check: inTime(signal => askSource(source, sourceContext(source, signal)))
    })),
    ...(external === undefined ? [] : [{ name: 'converter', required: true, check: inTime(signal => external.check(signal)) }]),
    ...(summaries === undefined
      ? []
      : [{ name: 'summaries', required: true, check: inTime(async signal => `wrote: ${(await summaries.write({ title: 'A test', abstract: 'This is a test of the connection. It holds no finding.' }, 'tests', signal)).slice(0, 60)}`) }]),
    smtp === undefined || mailer === undefined
      ? { name: 'mail', required: false, check: async () => 'no SMTP_URL: digests are off' }
      : { name: 'mail', required: true, check: async () => { await mailer.verify(); return 'the server takes mail' } }
  ]
}

/** Looks for papers of a common subject from yesterday and today, and reads the first page of what it gets. */
async function askSource (source: Source, context: SourceContext): Promise<string> {
  const day = (ago: number) => new Date(Date.now() - ago * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
  const pages = source.search(context, { query: source.queryOf(common), from: day(1), to: day(0), cursor: null })[Symbol.asyncIterator]()
  const first = await pages.next()
  await pages.return?.()
  return `${new URL(context.baseUrl).host} answers, with ${first.done === true ? 'nothing new' : `${first.value.readings.length} records on its first page`}`
}

const inTime = (ask: (signal: AbortSignal) => Promise<string>) => async (): Promise<string> => {
  const signal = AbortSignal.timeout(patience)
  try {
    return await ask(signal)
  } catch (error) {
    if (signal.aborted) throw new Error(`It gave no answer within ${patience / 1000} s.`, { cause: error })
    throw error
  }
}
