/** How questions and requests of assistants begin: "What is known about …", "Is there …", "Find me papers on …". */
const asking = new RegExp(
  '^\\W*(?:(?:please|and|so) )?(?:(?:what|which|who|how|why|when|where)\\b|(?:is|are) there\\b|' +
    '(?:show|find|give|tell|get|list|search)\\s+(?:me|us|for)\\b|(?:can|could) you\\b)|\\?\\s*$', 'i'
)
/** Words that ask, and say nothing of the subject. Few papers have them, so they would count more than its words. */
const askingWords = new Set((
  'what which who whom whose how why when where is are was were am do does did can could should would will has have had there any some ' +
  'me us i we you please show find give tell get list search about know known'
).split(' '))
/** If a single word remains, it must have this many letters: "What is life?" is a title. */
const minLength = 5

/** The terms of a query without the words that make it a question, unless hardly anything else is left. */
export function withoutAskingWords (q: string, terms: readonly string[]): string[] {
  if (!asking.test(q.slice(0, 2000))) return [...terms]
  // In capitals, "WHO" and "US" are names.
  const isName = (term: string) => term.length > 1 && new RegExp(`\\b${term.toUpperCase()}\\b`).test(q)
  const subject = terms.filter(term => !askingWords.has(term) || isName(term))
  return subject.length > 1 || (subject[0] ?? '').length >= minLength ? subject : [...terms]
}
