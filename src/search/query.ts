import { tokenize } from './tokenizer.js'

/** Formats the terms as the query that was run. @param hasAllTerms whether every item of the page has all terms */
export const formatQuery = (terms: readonly string[], hasAllTerms: boolean): string => terms.join(hasAllTerms ? ' ' : ' OR ')

/**
 * Splits a query into its distinct terms, in order. Pasted links and prefixes of identifiers are reduced to the identifier.
 * @param q a search text as schemas/search-text.ts has it, so there is at least one term
 */
export const parseQuery = (q: string): string[] => [...new Set(tokenize(bareIdentifiers(q)))]

/** Pasted forms of identifiers, and what the index holds instead. */
const pastedForms: ReadonlyArray<[form: RegExp, identifier: string]> = [
  [/\b(?:https?:\/\/)?(?:dx\.)?doi\.org\/(?=10\.)|\bdoi:\s*(?=10\.)/gi, ''],
  [/\b(?:https?:\/\/)?(?:www\.)?arxiv\.org\/(?:abs|pdf)\/(\d{4}\.\d{4,5})(?:v\d+)?(?:\.pdf)?/gi, '$1'],
  [/\barxiv:\s*(\d{4}\.\d{4,5})(?:v\d+)?/gi, '$1'],
  [/\b(?:https?:\/\/)?pubmed\.ncbi\.nlm\.nih\.gov\/(\d+)\/?/gi, '$1'],
  [/\bpmid:\s*(?=\d)/gi, '']
]

const bareIdentifiers = (q: string) => pastedForms.reduce((text, [form, identifier]) => text.replace(form, identifier), q)
