import type { Inline } from './document.js'
import { textOf } from './document.js'
import { escapeText } from './escape.js'
import { linkAddress } from './link.js'
import { scripted } from './scripts.js'

interface Span { mark: 'strong' | 'emphasis' | 'subscript' | 'superscript' | 'link', url: string, html: boolean }
interface Edge { kind: 'open' | 'close', span: Span }
type Piece = { kind: 'text' | 'raw', text: string, inLink: boolean } | { kind: 'break' } | Edge

const tags = { strong: 'strong', emphasis: 'em', subscript: 'sub', superscript: 'sup', link: '' }
const stars = { strong: '**', emphasis: '*', subscript: '', superscript: '', link: '' }
const spaceOrMark = /^$|[\s\p{P}\p{S}]/u
const mark = /[\p{P}\p{S}]/u
/** Control characters, which XML and PostgreSQL reject. */
export const controlCharacters = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uFFFE\uFFFF]/g

/**
 * Writes inline content on one line, with collapsed white space; a break becomes a newline. Emphasis becomes HTML where Markdown would not
 * recognize its stars ("a*(b)*c").
 */
export function writeInline (content: readonly Inline[]): string {
  const pieces = new Gathering().gather(content).pieces
  judgeStars(pieces)
  return pieces.map((piece, at) => {
    if (piece.kind === 'raw') return piece.text
    if (piece.kind === 'break') return '\n'
    if (piece.kind === 'text') return escapeText(piece.text, edgeOf(pieces[at - 1], 'last'), edgeOf(pieces[at + 1], 'first'), piece.inLink)
    return writeEdge(piece as Edge)
  }).join('')
}

const isStar = (piece: Piece | undefined): piece is Edge =>
  (piece?.kind === 'open' || piece?.kind === 'close') && stars[piece.span.mark] !== ''

function writeEdge ({ kind, span: { mark, url, html } }: Edge): string {
  if (mark === 'link') return kind === 'open' ? '[' : `](${url})`
  if (html) return kind === 'open' ? `<${tags[mark]}>` : `</${tags[mark]}>`
  return stars[mark]
}

/** Flattens nested content: moves white space out of emphasis, drops empty emphasis and joins adjacent emphasis. */
class Gathering {
  readonly pieces: Piece[] = []
  private space = false
  private readonly opening: Span[] = []
  private readonly within = new Set<Span['mark']>()

  gather (content: readonly Inline[]): this {
    for (const each of content) {
      if (typeof each === 'string') this.text(each)
      else if (each.kind === 'break') this.break()
      else if (each.kind === 'code') this.code(each.text)
      else if (each.kind === 'math') this.put(`$${each.latex}$`)
      else if (each.kind === 'link' && !this.within.has('link')) this.link(each.url, each.content)
      else if (each.kind === 'link' || this.within.has(each.kind)) this.gather(each.content)
      else this.marked(each.kind, each.content)
    }
    return this
  }

  private text (raw: string): void {
    const text = raw.replace(controlCharacters, '').toWellFormed().replace(/\s+/g, ' ')
    if (text.startsWith(' ')) this.space = true
    const trimmed = text.trim()
    if (trimmed === '') return
    this.put(trimmed, 'text')
    this.space = text.endsWith(' ')
  }

  private code (raw: string): void {
    const text = raw.replace(controlCharacters, '').replace(/\s+/g, ' ').trim()
    if (text === '') return
    const fence = '`'.repeat(longestRun(text) + 1)
    const pad = /^`|`$/.test(text) ? ' ' : ''
    this.put(`${fence}${pad}${text}${pad}${fence}`)
  }

  private break (): void {
    this.space = false
    if (this.pieces.length > 0 && this.pieces.at(-1)!.kind !== 'break') this.pieces.push({ kind: 'break' })
  }

  private link (url: string, content: Inline[]): void {
    // A link whose text is its address is written once.
    if (/^https?:/.test(url) && sameAddress(url, textOf(content).trim())) this.put(`<${url}>`)
    else this.span({ mark: 'link', url, html: false }, content)
  }

  private marked (kind: 'strong' | 'emphasis' | 'subscript' | 'superscript', content: Inline[]): void {
    const script = kind === 'subscript' || kind === 'superscript'
    const characters = script && content.every(each => typeof each === 'string') ? scripted(content.join(''), kind) : undefined
    if (characters !== undefined) this.text(characters)
    else this.span({ mark: kind, url: '', html: script }, content)
  }

  private span (span: Span, content: Inline[]): void {
    this.opening.push(span)
    this.within.add(span.mark)
    this.gather(content)
    this.within.delete(span.mark)
    const at = this.opening.indexOf(span)
    if (at !== -1) this.opening.splice(at, 1)
    else this.pieces.push({ kind: 'close', span: this.continued.get(span) ?? span })
  }

  /** The earlier span that a span continues. */
  private readonly continued = new Map<Span, Span>()

  private put (text: string, kind: 'text' | 'raw' = 'raw'): void {
    const last = this.pieces.at(-1)
    if (this.space && last !== undefined && last.kind !== 'break') this.pieces.push({ kind: 'text', text: ' ', inLink: false })
    this.space = false
    for (const span of this.opening.splice(0)) {
      const before = this.pieces.at(-1)
      if (before?.kind === 'close' && before.span.mark === span.mark && span.mark !== 'link') {
        this.pieces.pop()
        this.continued.set(span, before.span)
      } else {
        this.pieces.push({ kind: 'open', span })
      }
    }
    this.pieces.push({ kind, text, inLink: this.within.has('link') })
  }
}

/**
 * Finds stars that would not open or close emphasis at their position. @see https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run
 */
function judgeStars (pieces: Piece[]): void {
  pieces.forEach((piece, at) => {
    if (!isStar(piece)) return
    const neighbor = piece.kind === 'open' ? pieces[at - 1] : undefined
    if (neighbor?.kind === 'close' && isStar(neighbor)) piece.span.html = true
    const before = visible(pieces, at, -1)
    const after = visible(pieces, at, 1)
    const [outside, inside] = piece.kind === 'open' ? [before, after] : [after, before]
    if (mark.test(inside) && !spaceOrMark.test(outside)) piece.span.html = true
  })
}

/** The nearest character other than a star. */
function visible (pieces: Piece[], at: number, step: 1 | -1): string {
  let next = at + step
  while (isStar(pieces[next])) next += step
  return edgeOf(pieces[next], step === 1 ? 'first' : 'last')
}

function edgeOf (piece: Piece | undefined, edge: 'first' | 'last'): string {
  if (piece === undefined || piece.kind === 'break') return ''
  if (piece.kind === 'text' || piece.kind === 'raw') {
    return edge === 'first' ? String.fromCodePoint(piece.text.codePointAt(0)!) : piece.text.at(-1)!
  }
  const { span } = piece as Edge
  if (stars[span.mark] !== '' && !span.html) return '*'
  return span.mark === 'link' ? (piece.kind === 'open' ? '[' : edge === 'first' ? ']' : ')') : edge === 'first' ? '<' : '>'
}

/** Whether the text equals the address or would link to it. */
const sameAddress = (url: string, text: string): boolean =>
  url === text || (/^https?:/i.test(text) && !/\s/.test(text) && linkAddress(text) === url)

/** Length of the longest run of backquotes. */
export const longestRun = (text: string): number => (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
