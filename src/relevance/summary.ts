const longest = 400

/** The first sentences of an abstract, up to 400 characters; null where there is none. */
export function summaryOf (abstract: string | null): string | null {
  if (abstract === null) return null
  const text = abstract.slice(0, 4 * longest).replace(/\s+/g, ' ').trim()
  if (text.length <= longest) return text || null
  let summary = ''
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)) {
    if (summary !== '' && summary.length + segment.length > longest) break
    summary += segment
  }
  return summary.length <= longest ? summary.trim() : `${summary.slice(0, longest).replace(/\s+\S*$/, '')} …`
}
