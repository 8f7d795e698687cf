/** References of a paper by one kind of identifier that are stored, at most. Sources name the same works by different kinds. */
export const maxReferencesOfKind = 1000
/** Kinds of identifiers that name references. */
const kinds = ['openalex', 'doi', 'pmid'] as const
/** References of a paper that are stored, at most. */
export const maxReferences = kinds.length * maxReferencesOfKind

const kindOf = (id: string): typeof kinds[number] => id.startsWith('W') ? 'openalex' : id.startsWith('10.') ? 'doi' : 'pmid'

/** The first references of each kind of identifier, in their order. */
export function limitReferences (references: Iterable<string>): string[] {
  const counts = { openalex: 0, doi: 0, pmid: 0 }
  const kept: string[] = []
  for (const id of references) if (++counts[kindOf(id)] <= maxReferencesOfKind) kept.push(id)
  return kept
}
