import type { PaperMetadata } from '../../../schemas/metadata.js'
import { joinLines } from './plain-text.js'

type MetadataValues = { [Field in keyof PaperMetadata]: PaperMetadata[Field] | null | undefined }

/** Removes empty texts, lists and values, and puts each text on one line. */
export function toMetadata (values: MetadataValues): PaperMetadata {
  return Object.fromEntries(Object.entries(values)
    .map(([name, value]) => [name, Array.isArray(value) ? value.map(oneLine) : oneLine(value)] as const)
    .filter(([, value]) => value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)))
}

const oneLine = (value: unknown) => typeof value === 'string' ? joinLines(value) : value
