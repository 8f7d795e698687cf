/** A sentence of what is not wanted. NOT gates and sentences that begin with "not only" are wanted. */
const unwanted = new RegExp(
  '^(?:(?:[Ww]e|I|i|[Pp]lease)\\s+)*(?:[Ee]xclud(?:e|es|ed|ing)|EXCLUDED?|[Ww]ithout|[Nn]ot(?!\\s+(?:only|just|all|every)(?!\\p{L}))|' +
    '[Dd]o(?:\\s+not|n[’\']t)\\s+(?:include|want|show))(?![-\\p{L}])|^(?:排除|不包括|不含|除外)', 'u'
)
/** Words before the topic of a criterion. */
const opening = new RegExp(
  '^(?:(?:(?:we|i|please)\\s+)?includ(?:e|es|ed|ing)|' +
  '(?:we|i)\\s+(?:(?:want|would\\s+like|wish|need)(?:\\s+to)?\\s+)?(?:study|follow|find|read|investigate|look\\s+for|search\\s+for|' +
  '(?:am|are)\\s+interested\\s+in|want|need))\\s+', 'iu'
)
const boundary = /\n+|(?<=[.!?;])\s+|(?<=[。！？；])/

/**
 * The criteria of an interest, which are sentences or lines: those that say what is wanted, unless none does. A sentence that begins with
 * exclude, without, not or do not include names what is unwanted.
 */
export function wantedCriteria (description: string): string[] {
  const criteria = description.split(boundary).map(part => part.trim()).filter(part => part !== '')
  const wanted = criteria.filter(part => !unwanted.test(part))
  return (wanted.length > 0 ? wanted : criteria).map(part => part.replace(opening, ''))
}
