/** A mutant that no test can kill, since it changes nothing that anybody could observe. */
export interface Equivalent { file: string, original: string, replacement: string, reason: string }

export const equivalent: readonly Equivalent[] = [
  ...['30_000', '10_000', '64'].map(original => ({
    file: 'src/http/guarded-client.js',
    original,
    replacement: `(${original} + 1)`,
    reason: 'one unit more of a time or size limit'
  })),
  { file: 'src/http/metered-client.js', original: '1000', replacement: '(1000 + 1)', reason: 'a thousandth of a measured time' },
  ...['/\\[|\\]$/g', '/^\\[|\\]/g'].map(replacement => ({
    file: 'src/http/addresses.js',
    original: '/^\\[|\\]$/g',
    replacement,
    reason: 'an address has no bracket elsewhere'
  })),
  { file: 'src/http/guarded-client.js', original: 'find', replacement: 'findLast', reason: 'an error and its cause are not both ours' },
  {
    file: 'src/search/ranking.js',
    original: 'kept.docs = new Uint32Array(docs.length);',
    replacement: ';',
    reason: 'the documents that are kept overwrite those before them'
  },
  { file: 'src/search/term-scorer.js', original: 'sums[doc] !== 0', replacement: 'false', reason: 'the order in which memory is read' },
  {
    file: 'src/search/top-documents.js',
    original: 'scores[index] > highest && groups[index] === lowestGroup',
    replacement: 'true',
    reason: 'the width of the bins, which only limits how many documents are sorted'
  },
  { file: 'src/search/feedback.js', original: '150', replacement: '(150 + 1)', reason: 'one more of a limit' }
]
