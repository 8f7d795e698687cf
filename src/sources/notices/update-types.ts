import type { JsonObject } from '../../../schemas/json-object.js'
import type { NoticeKind } from '../../../schemas/notice.js'
import { text } from '../requests/answers.js'

/** A type of update that says nothing about the standing of a work, or whose meaning is unknown. */
const noNotice = 'none'

/**
 * What the words of a type mean; the first that matches decides. Publishers spell Crossref's types as they like: "Expression of Concern",
 * "editorial_expression_of_concern", "Retraction and Replacement", "retracion".
 * @see https://www.crossref.org/documentation/crossmark/version-control-corrections-and-retractions/
 */
const meanings: ReadonlyArray<readonly [RegExp, NoticeKind | typeof noNotice]> = [
  [/\breinstat/, 'reinstatement'],
  [/\bnot\b/, noNotice],
  // The end of a concern or of an erratum is not the end of the work, and the correction of a retraction's notice is a correction.
  [/\b(?:remov|withdr|retract|lift|resol)\w* of(?: \w+){0,3} (?:concern|corr|errat)/, noNotice],
  [/\b(?:concern|corrections?|corrigend\w+|errat\w+) (?:remov|withdr|retract|lift|resol)/, noNotice],
  [/^(?:corr(?:ect|ig|\b)|errat|err\b|amend|addend|clarif|rectif)/, 'correction'],
  [/\bpartial(?:ly)? (?:retract|withdr|remov)|\b(?:retract|withdr|remov)\w+ (?:in part|partial(?:ly)?)\b/, 'partial_retraction'],
  [/\bretra(?:c|t|ct)?(?:ed|ions?)\b|\bretract\b/, 'retraction'],
  [/\b(?:withdrawn?|withdrawa?ls?|removed|removals?)\b/, 'withdrawal'],
  [/\bconcerns?\b/, 'expression_of_concern'],
  [/\b(?:corr(?:ect|ig)|errat|addend|clarif|rectif)/, 'correction'],
  [/\bnew (?:version|edition)\b/, 'new_version']
]

/** Types that are in use and are no notices. */
const knownTypes: ReadonlySet<string> = new Set(['comment', 'reply', 'editorial note', 'publisher note', 'publishers note', 'other'])

/** Words in small letters, without punctuation. */
const wordsOf = (value: unknown) =>
  text(value).slice(0, 100).toLowerCase().replace(/['’]/g, '').replace(/[^a-z]+/g, ' ').trim()

/**
 * The kind of notice that an update of Crossref is, by its type, or else by its label.
 * @param onUnknown takes the words of a type that nothing is known about
 */
export function noticeKindOf ({ type, label }: JsonObject, onUnknown: (type: string) => void = () => {}): NoticeKind | undefined {
  const names = [wordsOf(type), wordsOf(label)]
  for (const name of names) {
    const meaning = meanings.find(([form]) => form.test(name))?.[1]
    if (meaning !== undefined) return meaning === noNotice ? undefined : meaning
  }
  const written = names.filter(name => name !== '')
  if (written.length > 0 && !written.some(name => knownTypes.has(name))) onUnknown(written.join(', '))
  return undefined
}
