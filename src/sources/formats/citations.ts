import type { JsonObject } from '../../../schemas/json-object.js'
import type { Citations } from '../../../schemas/paper.js'
import { maxReferences } from '../../../schemas/references.js'
import { openalexIn } from '../../papers/identifiers.js'
import { text, texts } from '../requests/answers.js'

/** More stated ids than this are not read: a hostile response may have millions. */
const maxRead = 2 * maxReferences

/** Valid references of a work, each once, and its number of citations; an empty object if the source states neither. */
export function citationsOf (
  references: ReadonlyArray<string | null>,
  { citedBy, own = [] }: { citedBy: unknown, own?: ReadonlyArray<string | null> }
): { citations?: Citations } {
  const cited = new Set<string>()
  for (const reference of references.slice(0, maxRead)) if (reference !== null && !own.includes(reference)) cited.add(reference)
  const count = typeof citedBy === 'number' && Number.isInteger(citedBy) && citedBy >= 0 && citedBy <= 1_000_000_000 ? citedBy : null
  return cited.size === 0 && count === null ? {} : { citations: { references: [...cited], cited_by: count } }
}

/** The references of a work in OpenAlex's form, by OpenAlex ids, and its number of citations. */
export const openalexCitations = (work: JsonObject): { citations?: Citations } =>
  citationsOf(texts(work.referenced_works).slice(0, maxRead).map(openalexAddress), {
    citedBy: work.cited_by_count, own: [openalexAddress(text(work.id))]
  })

const openalexAddress = (address: string) => openalexIn(/[^/]*$/.exec(address)![0])
