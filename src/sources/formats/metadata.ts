import type { PaperMetadata } from '../../../schemas/metadata.js'
import { issnsIn } from '../../papers/identifiers.js'
import { joinLines } from './plain-text.js'

type MetadataValues = { [Field in keyof PaperMetadata]: PaperMetadata[Field] | null | undefined }

/** Removes empty texts, lists and values, and puts each text on one line. */
export function toMetadata (values: MetadataValues): PaperMetadata {
  return Object.fromEntries(Object.entries(values)
    .map(([name, value]) => [name, Array.isArray(value) ? value.map(oneLine) : oneLine(value)] as const)
    .filter(([, value]) => value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)))
}

/** The ISSN of a field, and all if it states several: "0360-9170,1943-2402", "0007-1250 (Print) 1472-1465 (Linking)". */
export function statedIssns (written = ''): Pick<PaperMetadata, 'issn' | 'issns'> {
  const issns = issnsIn(written.split(/[,;\s]+/))
  return { issn: issns[0] ?? written, ...(issns.length > 1 ? { issns } : {}) }
}

const oneLine = (value: unknown) => typeof value === 'string' ? joinLines(value) : value
