import MarkdownIt, { type Token } from 'markdown-it'
import { placeAnchors } from './anchors.js'
import { escaped, formulaWriter } from './formulas.js'
import { mathRules } from './math-rules.js'
import { tagRules } from './tag-rules.js'

/** A heading of a rendered text. `id` is its anchor. */
export interface Heading { id: string, level: number, text: string }

/** A text as HTML. */
export interface RenderedMarkdown {
  html: string
  /** In document order; `level` is that of the HTML element. */
  headings: Heading[]
}

const maxHeadings = 500

/**
 * Renders a paper's Markdown, which is untrusted: raw HTML becomes text, links lead to web and mail addresses only, nothing is loaded, and
 * headings start below the page's own.
 * @param options.title the page's title; a first heading that repeats it is omitted
 * @param options.anchors whether blocks get anchors for links
 */
export function renderMarkdown (
  text: string,
  { title = '', anchors = false }: { title?: string, anchors?: boolean } = {}
): RenderedMarkdown {
  const writeFormula = formulaWriter()
  const headings: Heading[] = []
  let tables = 0
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: 40 })
  // Both rules search the rest of the text, which may have megabytes, and papers need neither.
  markdown.disable(['reference', 'strikethrough'])
  markdown.use(mathRules).use(tagRules)
  markdown.validateLink = isAllowed

  const { rules } = markdown.renderer
  rules.anchor = (tokens, at) => `<span id="${tokens[at]!.content}" class="anchor"></span>`
  rules.tag = (tokens, at) => tokens[at]!.content
  rules.math = (tokens, at) => {
    const { block, content, markup } = tokens[at]!
    return block ? `<div class="formula">${writeFormula(content, true)}</div>\n` : writeFormula(content, markup === '$$')
  }
  rules.link_open = (tokens, at) => `<a href="${attribute(tokens[at]!, 'href')}" rel="noopener noreferrer nofollow">`
  // Loading an image would tell its site who reads the paper.
  rules.image = (tokens, at) =>
    `<a href="${attribute(tokens[at]!, 'src')}" rel="noopener noreferrer nofollow">${escaped(tokens[at]!.content || 'Figure')}</a>`
  rules.table_open = () => `<div class="scroll" tabindex="0" role="region" aria-label="Table ${++tables}"><table>\n`
  rules.table_close = () => '</table></div>\n'
  rules.th_open = rules.td_open = (tokens, at) => {
    const { tag } = tokens[at]!
    const aligned = /text-align:(right|center)/.exec(String(tokens[at]!.attrGet('style') ?? ''))?.[1]
    return aligned === undefined ? `<${tag}>` : `<${tag} class="${aligned}">`
  }
  rules.code_block = rules.fence = (tokens, at) =>
    `<pre tabindex="0" role="region" aria-label="Code"><code>${escaped(tokens[at]!.content)}</code></pre>\n`
  rules.heading_open = (tokens, at) => `<${tokens[at]!.tag} id="${attribute(tokens[at]!, 'id')}" tabindex="-1">`

  const environment = {}
  const tokens = markdown.parse(text, environment)
  // Maps the levels of the text to consecutive levels below the page's own.
  const parents: number[] = []
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const close = tokens[at + 2]!
    const heading = textOf(tokens[at + 1]!)
    if (headings.length === 0 && isSameTitle(heading, title)) {
      for (const each of [token, tokens[at + 1]!, close]) Object.assign(each, { type: 'nothing' })
      continue
    }
    const sourceLevel = Number(token.tag.slice(1))
    while (parents.length > 0 && parents.at(-1)! >= sourceLevel) parents.pop()
    parents.push(sourceLevel)
    const level = Math.min(parents.length + 1, 6)
    const id = `section-${headings.length + 1}`
    token.tag = close.tag = `h${level}`
    token.attrSet('id', id)
    if (headings.length < maxHeadings) headings.push({ id, level, text: heading })
  }
  const visible = tokens.filter(({ type }) => type !== 'nothing')
  return { html: markdown.renderer.render(anchors ? placeAnchors(visible, text) : visible, markdown.options, environment), headings }
}

const attribute = (token: Token, name: string): string => escaped(String(token.attrGet(name) ?? ''))

const isAllowed = (address: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(address.trim()) && URL.canParse(address.trim())

function textOf ({ type, children, content }: Token): string {
  if (type === 'softbreak') return ' '
  if (type === 'tag') return ''
  return children === null ? content : children.map(textOf).join('').trim()
}

const isSameTitle = (one: string, other: string) => normalize(one) === normalize(other) && normalize(one) !== ''
const normalize = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
