import type { ComponentChildren } from 'preact'
import { LRUCache } from 'lru-cache'
import { plainLatex, splitFormulas } from '../../../papers/inline-latex.js'
import { escaped, formulaWriter } from '../markdown/formulas.js'

/** Longer formulas, and formulas beyond this total, are shown as text: a page has no time for them. */
const maxFormulaCharacters = 300
const maxCharacters = 3000
/** HTML by text, since lists show the same titles again and again. */
const cache = new LRUCache<string, string>({ maxSize: 4_000_000, sizeCalculation: (html, text) => html.length + text.length + 50 })

/** A title or a paragraph of an abstract as HTML: formulas as MathML, and text commands of LaTeX as plain text. */
function toHtml (text: string): string {
  const known = cache.get(text)
  if (known !== undefined) return known
  const write = formulaWriter()
  let characters = 0
  const html = splitFormulas(text).map(({ text, isFormula }) => {
    if (!isFormula) return escaped(plainLatex(text))
    characters += text.length
    return text.length > maxFormulaCharacters || characters > maxCharacters ? escaped(plainLatex(text)) : write(text, false)
  }).join('')
  cache.set(text, html)
  return html
}

const unmarked = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Marks the words that begin with a search term; without spaces between words, those that contain it. */
function marked (text: string, terms: readonly string[]): ComponentChildren {
  const stems = terms.map(unmarked)
  return text.split(/([\p{L}\p{N}\p{M}]+)/u).map((part, at) => {
    const word = at % 2 === 1 ? unmarked(part) : ''
    const isMatch =
      word !== '' && stems.some(term => word.startsWith(term) || (/[^\p{Script=Latin}\d]/u.test(term) && word.includes(term)))
    return isMatch ? <mark key={at}>{part}</mark> : part
  })
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
  if (!/[$\\]/.test(text)) return <Tag dir='auto' {...attributes}>{terms.length === 0 ? text : marked(text, terms)}</Tag>
  return <Tag dir='auto' {...attributes} dangerouslySetInnerHTML={{ __html: toHtml(text) }} />
}

/** An abstract, by paragraphs. */
export const Abstract = ({ text, terms }: { text: string, terms?: readonly string[] | undefined }) =>
  <div class='prose'>{text.split(/\n\s*\n/).map((paragraph, at) => <RichText as='p' key={at} text={paragraph} terms={terms} />)}</div>
