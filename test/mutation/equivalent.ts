/** A mutant that no test can kill, since it changes nothing that anybody could observe. */
export interface Equivalent {
  file: string
  /** The compiled line on which the mutant begins, without its indentation, where the change alone does not tell which mutant is meant. */
  line?: string
  original: string
  replacement: string
  reason: string
}

type Change = readonly [original: string, replacement: string]

/** Equivalent mutants of one compiled line. */
const onLine = (file: string, line: string, reason: string, changes: readonly Change[]): Equivalent[] =>
  changes.map(([original, replacement]) => ({ file, line, original, replacement, reason }))

const oneMore = (...numbers: string[]): Change[] => numbers.map(number => [number, number === '0' ? '1' : `(${number} + 1)`])
const condition = (original: string): Change[] => [[original, 'false'], [original, 'true']]

const [ranking, scorer, totals, page, plan, expansion] =
  ['ranking', 'term-scorer', 'totals', 'top-documents', 'query-plan', 'query-expansion']
    .map(name => `src/search/${name}.js`) as [string, string, string, string, string, string]
const keys = 'src/accounts/keys.js'
const readingOrder = 'the order in which memory is read'
const onlySign = 'ids differ, and only the sign of an order counts'
const moreMemory = 'how much memory is kept for later queries'
const moreWork = 'work is repeated, with the same result'

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

  ...onLine(totals, 'export const wideShare = 1 / 16;', readingOrder, [['/', '*'], ...oneMore('1', '16')]),
  ...onLine(scorer, 'if (this.#touchedCount > this.#options.total * wideShare)', readingOrder, [
    ...condition('this.#touchedCount > this.#options.total * wideShare'), ['>', '>='], ['>', '<='], ['*', '/']
  ]),
  ...onLine(scorer, 'this.#sortTouched(0, this.#options.total);', readingOrder, [['this.#sortTouched(0, this.#options.total);', ';']]),
  ...onLine(scorer, 'if (this.#touchedCount > count * wideShare)', readingOrder, [
    ...condition('this.#touchedCount > count * wideShare'), ['>', '>='], ['>', '<='], ['*', '/']
  ]),
  ...onLine(scorer, 'this.#sortTouched(base, base + count);', readingOrder, [['this.#sortTouched(base, base + count);', ';']]),
  ...onLine(scorer, 'for (let doc = from; doc < to; doc++)', readingOrder, [['<', '<='], ['<', '>=']]),
  ...onLine(scorer, 'if (sums[doc] !== 0)', readingOrder, [['sums[doc] !== 0', 'false']]),
  ...onLine(totals, 'return this.hasUnlisted || this.foundCount > total * wideShare;', readingOrder, [
    ['>', '>='], ['>', '<='], ['*', '/']
  ]),
  ...onLine(totals, 'this.foundCount = 0;', moreWork, [['this.foundCount = 0;', ';'], ...oneMore('0')]),
  ...onLine(scorer, 'let [weight, matched] = [0, 0];', 'a document that is listed twice counts once', oneMore('0')),
  ...onLine(scorer, 'for (let index = 0; index < matched; index++) {', 'no further document matches a pattern', [['<', '<=']]),
  ...onLine(totals, 'for (let index = 0; index < foundCount; index++) {', 'a document more is cleared, between queries', [['<', '<=']]),
  ...onLine(scorer, 'const frequency = sum > 0 ? sum : -sum;', 'no touched document has a frequency of zero', [['>', '>=']]),
  ...onLine(scorer, 'exactMatches[doc] += sum > 0 ? isExact[doc] : 1;', 'no touched document has a frequency of zero', [['>', '>=']]),
  ...onLine(scorer, '#options = { total: 0, frequencies: new Float64Array(), segments: [] };', 'every query replaces it', oneMore('0')),
  ...onLine(scorer, '#touchedCount = 0;', 'every pattern replaces it', oneMore('0')),

  ...onLine(ranking, 'const identifierScore = 10_000;', 'any number above all sums of scores', oneMore('10_000')),
  ...onLine(ranking, 'const passing = filters.length === 0 ? undefined : applyFilters(corpus, filters);', moreWork, [
    ['filters.length === 0', 'false']
  ]),
  ...onLine(ranking, 'let workspace = { scorer: new TermScorer(0), totals: new Totals(0) };', moreMemory, oneMore('0')),
  ...onLine(ranking, 'const capacity = Math.ceil(total * 1.25);', moreMemory, oneMore('1.25')),
  ...onLine(ranking, 'if (workspace.scorer.capacity < total || workspace.totals.isTouched) {', moreWork, [
    ['workspace.scorer.capacity < total || workspace.totals.isTouched', 'true'], ['<', '<=']
  ]),
  ...onLine(ranking, 'if (known?.averageLength === averageLength)', moreWork, [['known?.averageLength === averageLength', 'false']]),
  ...onLine(ranking, 'norms.set(documents, { averageLength, lengthNorms });', moreWork, [
    ['norms.set(documents, { averageLength, lengthNorms });', ';']
  ]),

  ...onLine(page, 'const minGathered = 256;', moreWork, oneMore('256')),
  ...onLine(page, 'let maxGathered = Math.max(minGathered, 2 * end);', moreWork, oneMore('2')),
  ...onLine(page, 'maxGathered = Math.max(maxGathered, 2 * kept);', moreWork, [
    ['maxGathered = Math.max(maxGathered, 2 * kept);', ';'], ['max', 'min'], ['*', '/'], ...oneMore('2')
  ]),
  ...onLine(page, 'if (gathered.push(index) < maxGathered)', moreWork, [['<', '<=']]),
  ...onLine(page, 'let [lowestGroup, lowestScore] = [0, -Infinity];', 'no document is below either', [['[0, -Infinity]', '[]']]),
  ...onLine(page, 'while (kept < gathered.length && byScore(last, gathered[kept]) === 0)', 'no document equals none', [['<', '<=']]),
  ...onLine(page, '((one.id ||= id(one.doc)) < (other.id ||= id(other.doc)) ? -1 : 1));', onlySign, [
    ['<', '<='], ...oneMore('1')
  ]),

  ...onLine(plan, 'const maxStems = 100_000;', moreMemory, oneMore('100_000')),
  ...onLine(plan, 'if (stem === undefined) {', moreWork, [['stem === undefined', 'true']]),
  ...onLine(plan, 'if (stems.size >= maxStems)', moreMemory, [...condition('stems.size >= maxStems'), ['>=', '>'], ['>=', '<']]),
  ...onLine(plan, 'stems.clear();', moreMemory, [['stems.clear();', ';']]),
  ...onLine(plan, 'stems.set(word, stem);', moreWork, [['stems.set(word, stem);', ';']]),

  ...onLine(expansion, 'const weight = weights.get(itemId) ?? 0;', 'only texts of the best matches are read', oneMore('0')),

  ...onLine(keys, 'const mayRecord = await recordedPerKey.consume(id).then(() => true, () => false);', 'both are falsy', [
    ['false', 'undefined']
  ]),
  ...onLine(keys, 'const cacheMs = 900;', 'a thousandth of a second', oneMore('900')),
  ...onLine('src/accounts/login-throttle.js', 'if (!(refused instanceof RateLimiterRes))', 'a limiter in memory has no other error', [
    ['!(refused instanceof RateLimiterRes)', 'false']
  ]),
  ...onLine('src/accounts/login-throttle.js', 'throw refused;', 'a limiter in memory has no other error', [['throw refused;', ';']]),
  ...onLine(
    'src/papers/same-work.js', 'export const versionless = (doi) => doi === null ? null : versionlessDoi(doi);',
    'null is returned as it is', [['doi === null', 'false']]
  ),
  {
    file: 'src/papers/identity.js', original: "'\\\\'", replacement: "''", reason: 'backslashes are in no word, and words are joined'
  },
  { file: 'src/server/authentication.js', original: "'5.x'", replacement: "''", reason: 'the releases of Fastify that the plugin accepts' }
]
