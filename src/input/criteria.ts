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
/** What a sentence leaves out of its subject: "statins, excluding animal studies". */
const exception = /[,;(\s]{1,3}(?:excluding|except(?:\s+for)?|but\s+not|other\s+than|not\s+including)\s.*$/isu
/** The mark of an item in a list, such as "-", "2." or "(b)". */
const listMark = /^(?:[-*•–—·]|\(?(?:\d{1,2}|[a-z])[.)])\s+/iu
/** A heading of criteria, with what follows in its line. */
const heading = new RegExp(
  '^[#*_\\s]*(?:(?<unwanted>(?:exclusion\\s+criteri(?:a|on)|exclu(?:de|des|ded|sions?)|排除(?:标准|標準)?|除外))|' +
  '(?:inclusion\\s+criteri(?:a|on)|criteri(?:a|on)|inclu(?:de|des|ded|sions?)|(?:纳入|納入|入选)(?:标准|標準)?))[*_]*\\s*' +
  '(?:[:：]|$)[*_]*\\s*(?<rest>.*)$', 'isu'
)
const boundary = /(?<=[.!?;])\s+|(?<=[。！？；])/

/**
 * The criteria of an interest, which are sentences or lines: those that say what is wanted, unless none does. A sentence that begins with
 * exclude, without, not or do not include names what is unwanted, and so do the criteria under a heading such as "Exclusion criteria".
 */
export function wantedCriteria (description: string): string[] {
  const criteria = readCriteria(description)
  const wanted = criteria.filter(({ isWanted }) => isWanted).map(({ text }) => text.replace(exception, '').trim())
    .filter(text => text !== '')
  return (wanted.length > 0 ? wanted : criteria.map(({ text }) => text)).map(text => text.replace(opening, ''))
}

/** The criteria in their order, without marks of lists and without headings. */
function readCriteria (description: string): Array<{ text: string, isWanted: boolean }> {
  const criteria: Array<{ text: string, isWanted: boolean }> = []
  /** What the last heading says of the lines below it: of all until an empty line, or of its list alone. */
  let section: { isWanted: boolean, hasListOnly: boolean } | undefined
  for (const written of description.split('\n')) {
    const line = written.trim()
    if (line === '') {
      if (section !== undefined && criteria.length > 0) section = { ...section, hasListOnly: true }
      continue
    }
    const text = line.replace(listMark, '')
    const { unwanted: isUnwanted, rest } = heading.exec(text)?.groups ?? {}
    if (rest !== undefined) section = { isWanted: isUnwanted === undefined, hasListOnly: rest !== '' }
    else if (section?.hasListOnly === true && text === line) section = undefined
    const isWanted = section?.isWanted ?? true
    for (const part of (rest ?? text).split(boundary)) {
      const criterion = part.trim()
      if (criterion !== '') criteria.push({ text: criterion, isWanted: isWanted && !unwanted.test(criterion) })
    }
  }
  return criteria
}
