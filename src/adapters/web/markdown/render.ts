import MarkdownIt, { type Token } from 'markdown-it'
import { escaped, formulaWriter } from './formulas.js'
import { mathRules } from './math-rules.js'
import { tagRules } from './tag-rules.js'

export interface Heading { id: string, level: number, text: string }

export interface RenderedMarkdown {
  html: string
  /** In order; `level` is that of the element. */
  headings: Heading[]
}

const mostHeadings = 500

/**
 * Makes HTML of a paper's Markdown, which may be from anywhere: no HTML of its own, links to web and mail addresses alone, nothing that is
 * loaded, headings below the page's own.
 * @param title of the page; a first heading that repeats it is left out
 */
export function renderMarkdown (text: string, { title = '' }: { title?: string } = {}): RenderedMarkdown {
  const writeFormula = formulaWriter()
  const headings: Heading[] = []
  let tables = 0
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: 40 })
  // Neither is of use in a text; both would let a text refer to what stands megabytes away.
  markdown.disable(['reference', 'strikethrough'])
  markdown.use(mathRules).use(tagRules)
  markdown.validateLink = isAllowed

  const { rules } = markdown.renderer
  rules.tag = (tokens, at) => tokens[at]!.content
  rules.math = (tokens, at) => tokens[at]!.block ? `<div class="formula">${writeFormula(tokens[at]!.content, true)}</div>\n` : writeFormula(tokens[at]!.content, tokens[at]!.markup === '$$')
  rules.link_open = (tokens, at) => `<a href="${attribute(tokens[at]!, 'href')}" rel="noopener noreferrer nofollow">`
  // A picture from elsewhere would tell that site who reads what.
  rules.image = (tokens, at) => `<a href="${attribute(tokens[at]!, 'src')}" rel="noopener noreferrer nofollow">${escaped(tokens[at]!.content || 'Figure')}</a>`
  rules.table_open = () => `<div class="scroll" tabindex="0" role="region" aria-label="Table ${++tables}"><table>\n`
  rules.table_close = () => '</table></div>\n'
  rules.th_open = rules.td_open = (tokens, at) => {
    const { tag } = tokens[at]!
    const aligned = /text-align:(right|center)/.exec(String(tokens[at]!.attrGet('style') ?? ''))?.[1]
    return aligned === undefined ? `<${tag}>` : `<${tag} class="${aligned}">`
  }
  rules.code_block = rules.fence = (tokens, at) => `<pre tabindex="0" role="region" aria-label="Code"><code>${escaped(tokens[at]!.content)}</code></pre>\n`
  rules.heading_open = (tokens, at) => `<${tokens[at]!.tag} id="${attribute(tokens[at]!, 'id')}" tabindex="-1">`

  const environment = {}
  const tokens = markdown.parse(text, environment)
  // Levels as the text has them, below the page's own and without holes.
  const above: number[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const close = tokens[at + 2]!
    const words = textOf(tokens[at + 1]!)
    if (headings.length === 0 && alike(words, title)) {
      for (const each of [token, tokens[at + 1]!, close]) Object.assign(each, { type: 'nothing' })
      continue
    }
    const written = Number(token.tag.slice(1))
    while (above.length > 0 && above.at(-1)! >= written) above.pop()
    above.push(written)
    const level = Math.min(above.length + 1, 6)
    const id = `section-${headings.length + 1}`
    token.tag = close.tag = `h${level}`
    token.attrSet('id', id)
    if (headings.length < mostHeadings) headings.push({ id, level, text: words })
  }
  return { html: markdown.renderer.render(tokens.filter(({ type }) => type !== 'nothing'), markdown.options, environment), headings }
}

const attribute = (token: Token, name: string): string => escaped(String(token.attrGet(name) ?? ''))

const isAllowed = (address: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(address.trim()) && URL.canParse(address.trim())

const textOf = ({ children, content }: Token): string => children === null ? content : children.map(each => each.type === 'softbreak' ? ' ' : each.type === 'tag' ? '' : each.children === null ? each.content : textOf(each)).join('').trim()

const alike = (one: string, other: string) => normal(one) === normal(other) && normal(one) !== ''
const normal = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
