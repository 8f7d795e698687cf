import { LRUCache } from 'lru-cache'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { normalForm } from '../../../../schemas/normal-form.js'
import { displayedText } from '../../../latex/displayed-text.js'
import { mayHaveLatex, plainLatex, readableParts } from '../../../latex/inline-latex.js'
import { porterStem } from '../../../search/stem.js'
import { createYielder } from '../../../threads/yielder.js'
import { escaped, formulaCost, formulaWriter } from '../markdown/formulas.js'

/** Formulas of a greater cost, and formulas beyond this total of a text, are shown as text: a page has no time for them. */
const maxFormulaCharacters = 300
const maxCharacters = 3000
/** What a formula costs at least: one letter takes as long as ten characters of a longer one. */
const minFormulaCharacters = 10
/** Formulas of a page's titles and abstracts; the texts that exceed the total have theirs as text. */
const maxPageCharacters = 4000
/** Distinct search terms that are marked. */
const maxTerms = 20

/** Signs of LaTeX in a page's titles and abstracts that are read, each in microseconds; texts that exceed the total stay as they are. */
const maxPageSigns = 2500
/** The same for a title in a place without formulas. */
const maxTitleSigns = 60

/** Characters that the formulas of a page may still have, and signs of LaTeX that may still be read. */
export interface FormulaBudget { characters: number, signs: number }
/** The budget of a page that is rendered. */
export const newFormulaBudget = (): FormulaBudget => ({ characters: maxPageCharacters, signs: maxPageSigns })
export const FormulaBudgetContext = createContext<FormulaBudget | undefined>(undefined)

/** A part of a text: plain, or the MathML of a formula. */
interface Part { text: string, isHtml: boolean }
/** The parts of a text, with the characters of its formulas if they are typeset. */
interface PreparedText { parts: Part[], characters: number }
/** By text, since lists show the same titles again and again. Without search terms, which differ between readers. */
const preparedTexts = () => new LRUCache<string, PreparedText>({
  maxSize: 4_000_000,
  sizeCalculation: ({ parts }, text) => parts.reduce((size, part) => size + part.text.length + 50, text.length + 50)
})
const typesetTexts = preparedTexts()
/** Texts on whose pages other texts had used up the budget. */
const plainTexts = preparedTexts()

const plainTitles = new LRUCache<string, string>({
  maxSize: 2_000_000, sizeCalculation: (plain, title) => plain.length + title.length + 50
})

/** A title for places without formulas, such as attributes: `α-synuclein` for `$\alpha$-synuclein`. */
export function plainTitle (title: string): string {
  if (!mayHaveLatex(title) || countSigns(title) > maxTitleSigns) return title
  const plain = plainTitles.get(title) ?? displayedText(title)?.joined ?? title
  plainTitles.set(title, plain)
  return plain
}

const countSigns = (text: string): number => text.match(/[$\\]/g)?.length ?? 0

/** Splits a title or a paragraph of an abstract: formulas as MathML, and text commands of LaTeX as plain text. */
function partsOf (text: string, budget: FormulaBudget): Part[] {
  if (!mayHaveLatex(text)) return [{ text, isHtml: false }]
  const known = typesetTexts.get(text)
  if (known !== undefined && known.characters <= budget.characters) {
    budget.characters -= known.characters
    return known.parts
  }
  const plain = plainTexts.get(text)
  if (plain !== undefined && plain.characters > budget.characters) return plain.parts
  const signs = countSigns(text)
  if (signs > budget.signs) return [{ text, isHtml: false }]
  budget.signs -= signs
  let characters = 0
  const parts = readableParts(text).map(part => {
    const cost = part.isFormula ? Math.max(formulaCost(part.text), minFormulaCharacters) : Infinity
    const isTypeset = cost <= maxFormulaCharacters && characters + cost <= maxCharacters
    if (isTypeset) characters += cost
    return { ...part, isTypeset }
  })
  const isAffordable = characters <= budget.characters
  const write = formulaWriter()
  const shown = parts.map(({ text, isFormula, isTypeset }): Part => isTypeset && isAffordable
    ? { text: write(text, false), isHtml: true }
    : { text: isFormula ? plainLatex(text) : text, isHtml: false })
  if (isAffordable) budget.characters -= characters
  const cache = isAffordable ? typesetTexts : plainTexts
  cache.set(text, { parts: shown, characters })
  return shown
}

/**
 * Finds the formulas of a page's titles and abstracts in time slices, before the page is rendered at once.
 * @param texts in the order of the page
 */
export async function prepareTexts (texts: Iterable<string>): Promise<void> {
  const yieldIfDue = createYielder()
  const budget = newFormulaBudget()
  for (const text of texts) {
    for (const paragraph of paragraphsOf(text)) {
      await yieldIfDue()
      partsOf(paragraph, budget)
    }
  }
}

const paragraphsOf = (text: string): string[] => text.split(/\n\s*\n/)

const ascii = /^[\0-\x7f]*$/
const unmarked = (text: string) => (ascii.test(text) ? text : normalForm(text, 'NFD').replace(/\p{M}/gu, '')).toLowerCase()

/** A search term. Between words without spaces, it can be anywhere; other words may begin with it, or have its stem. */
interface SoughtTerm { term: string, stem: string, isAnywhere: boolean }

const soughtTerms = new WeakMap<readonly string[], SoughtTerm[]>()

/** The first distinct terms, once for all texts of a page. */
function soughtIn (terms: readonly string[]): SoughtTerm[] {
  const known = soughtTerms.get(terms)
  if (known !== undefined) return known
  const sought = [...new Set(terms.map(unmarked))].filter(term => term !== '').slice(0, maxTerms)
    .map(term => ({ term, stem: porterStem(term), isAnywhere: /[^\p{Script=Latin}\d]/u.test(term) }))
  soughtTerms.set(terms, sought)
  return sought
}

/** Whether a word is one for which a search finds a paper. Only words with a common beginning are stemmed, which takes time. */
const isSought = (word: string, { term, stem, isAnywhere }: SoughtTerm): boolean => isAnywhere
  ? word.includes(term)
  : word.startsWith(term) || (word[0] === term[0] && porterStem(word) === stem)

/** Plain text as HTML, with marks around the words that a search looks for. */
function marked (text: string, sought: readonly SoughtTerm[]): string {
  if (sought.length === 0) return escaped(text)
  return text.split(/([\p{L}\p{N}\p{M}]+)/u).map((part, at) => {
    const word = at % 2 === 1 ? unmarked(part) : ''
    return word !== '' && sought.some(each => isSought(word, each)) ? `<mark>${escaped(part)}</mark>` : escaped(part)
  }).join('')
}

const noTerms: readonly string[] = []

interface RichTextProps {
  as: 'span' | 'p' | 'h1' | 'h2'
  text: string
  /** Search terms to mark. */
  terms?: readonly string[] | undefined
  class?: string
  id?: string
}

/** A title or a paragraph, with its formulas, in the direction of its script. */
export function RichText ({ as: Tag, text, terms = noTerms, ...attributes }: RichTextProps) {
  const sought = soughtIn(terms)
  const budget = useContext(FormulaBudgetContext) ?? newFormulaBudget()
  const html = partsOf(text, budget).map(part => part.isHtml ? part.text : marked(part.text, sought)).join('')
  return <Tag dir='auto' {...attributes} dangerouslySetInnerHTML={{ __html: html }} />
}

/** An abstract, by paragraphs. */
export const Abstract = ({ text, terms }: { text: string, terms?: readonly string[] | undefined }) =>
  <div class='prose'>{paragraphsOf(text).map((paragraph, at) => <RichText as='p' key={at} text={paragraph} terms={terms} />)}</div>
