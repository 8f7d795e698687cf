import { dayOf } from '../../../schemas/utc-time.js'
import { typedIdentifier } from '../../papers/identifier-in-text.js'
import { SourcesDisabled } from '../projects/disabled.js'
import { AmbiguousTitle, isShortTitle, lookUp, type LookupContext, lookUpTitle, ShortTitle } from './lookup.js'
import { SourceError } from '../source.js'

/** Messages about titles that are not looked up. */
const shortTitle = 'The title is too short to look up. Use the DOI or PMID.'
const noIdentifier = 'This address states no identifier of a paper. Use the DOI or PMID.'

/** Why a text cannot name a paper, whatever the sources have; undefined if it can. */
export function findProblem (text: string): string | undefined {
  if (typedIdentifier(text) !== undefined) return undefined
  if (/^https?:\/\/\S+$/i.test(text.trim())) return noIdentifier
  return isShortTitle(text) ? shortTitle : undefined
}

export type FoundRecord = Exclude<Awaited<ReturnType<typeof lookUp>>, undefined>

/** Asks the sources for a paper by its identifier or title. @returns why it cannot be found */
export async function findPaper (
  context: LookupContext & { now: () => Date },
  line: string,
  identifier = typedIdentifier(line)
): Promise<FoundRecord | { why: string }> {
  try {
    const found = identifier === undefined
      ? await lookUpTitle(context, line, dayOf(context.now()))
      : await lookUp(context, identifier)
    if (found !== undefined) return found
    return {
      why: identifier === undefined
        ? 'No source has a paper with exactly this title. Check the title, or use the DOI or PMID.'
        : 'No source has a paper with this identifier. Check the identifier, or import the record from a file.'
    }
  } catch (error) {
    if (error instanceof ShortTitle) return { why: shortTitle }
    if (error instanceof AmbiguousTitle) return { why: 'Several papers have this title. Use the DOI or PMID instead.' }
    if (error instanceof SourcesDisabled) return { why: error.message }
    if (error instanceof SourceError) return { why: 'The sources could not be reached. Add the paper again later.' }
    throw error
  }
}
