import { LRUCache } from 'lru-cache'
import { mayHaveLatex, plainLatex, readableParts } from '../../../latex/inline-latex.js'
import { escaped, formulaWriter } from '../markdown/formulas.js'

/** Longer formulas, and formulas beyond this total, are shown as text: a page has no time for them. */
const maxFormulaCharacters = 300
const maxCharacters = 3000
/** A part of a text: plain, or the MathML of a formula. */
interface Part { text: string, isHtml: boolean }
/** By text, since lists show the same titles again and again. Without search terms, which differ between readers. */
const cache = new LRUCache<string, Part[]>({
  maxSize: 4_000_000,
  sizeCalculation: (parts, text) => parts.reduce((size, part) => size + part.text.length + 50, text.length + 50)
})

/** Splits a title or a paragraph of an abstract: formulas as MathML, and text commands of LaTeX as plain text. */
function partsOf (text: string): Part[] {
  if (!mayHaveLatex(text)) return [{ text, isHtml: false }]
  const known = cache.get(text)
  if (known !== undefined) return known
  const write = formulaWriter()
  let characters = 0
  const parts = readableParts(text).map(({ text, isFormula }) => {
    if (isFormula) characters += text.length
    const isTypeset = isFormula && text.length <= maxFormulaCharacters && characters <= maxCharacters
    return isTypeset ? { text: write(text, false), isHtml: true } : { text: isFormula ? plainLatex(text) : text, isHtml: false }
  })
  cache.set(text, parts)
  return parts
}

const unmarked = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Plain text as HTML. Marks the words that begin with one of the stems; without spaces between words, those that contain it. */
function marked (text: string, stems: readonly string[]): string {
  if (stems.length === 0) return escaped(text)
  return text.split(/([\p{L}\p{N}\p{M}]+)/u).map((part, at) => {
    const word = at % 2 === 1 ? unmarked(part) : ''
    const isMatch =
      word !== '' && stems.some(stem => word.startsWith(stem) || (/[^\p{Script=Latin}\d]/u.test(stem) && word.includes(stem)))
    return isMatch ? `<mark>${escaped(part)}</mark>` : escaped(part)
  }).join('')
}

interface RichTextProps {
  as: 'span' | 'p' | 'h1' | 'h2'
  text: string
  /** Search terms to mark. */
  terms?: readonly string[] | undefined
  class?: string
  id?: string
}

/** A title or a paragraph, with its formulas, in the direction of its script. */
export function RichText ({ as: Tag, text, terms = [], ...attributes }: RichTextProps) {
  const stems = terms.map(unmarked)
  const html = partsOf(text).map(part => part.isHtml ? part.text : marked(part.text, stems)).join('')
  return <Tag dir='auto' {...attributes} dangerouslySetInnerHTML={{ __html: html }} />
}

/** An abstract, by paragraphs. */
export const Abstract = ({ text, terms }: { text: string, terms?: readonly string[] | undefined }) =>
  <div class='prose'>{text.split(/\n\s*\n/).map((paragraph, at) => <RichText as='p' key={at} text={paragraph} terms={terms} />)}</div>
