import { countCharacters } from '../../db/queries/relevance.js'
import type { ScoredText } from './interest.js'

type Text = ScoredText & { paper_id: string }

/** Texts that word frequencies come from, and their characters: twice as many as ordinary ones have. */
const corpusLimits = { texts: 10_000, characters: 40_000_000 }

/**
 * Yields the texts of a feed that word frequencies come from: the first ones, and all rated ones, or words that only these have could not
 * be learned. @param feed by the id of the paper, in batches
 */
export async function * countedTexts (
  feed: AsyncIterable<readonly Text[]>,
  rated: readonly Text[],
  limits = corpusLimits
): AsyncIterable<readonly Text[]> {
  let [texts, characters] = [0, 0]
  for await (const batch of feed) {
    yield batch
    texts += batch.length
    characters += countCharacters(batch)
    if (texts < limits.texts && characters < limits.characters) continue
    const last = batch.at(-1)!.paper_id
    yield rated.filter(({ paper_id }) => paper_id > last)
    return
  }
}
