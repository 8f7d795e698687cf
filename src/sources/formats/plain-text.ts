import { decodeHTMLStrict } from 'entities'
import { normalForm } from '../../../schemas/normal-form.js'
import { attributes, unmarkFormulas, unwrapFormulas } from './formula-markup.js'

const elements = (names: string) => new RegExp(`</?(?:${names})${attributes}>`, 'gi')
/** Elements of MathML, which publishers write with or without a prefix. */
const math = 'math|maction|menclose|merror|mfenced|mfrac|mi|mmultiscripts|mn|mo|mover|mpadded|mphantom|mprescripts|mroot|mrow|ms|mspace|' +
  'msqrt|mstyle|msub|msubsup|msup|mtable|mtd|mtext|mtr|munder|munderover|semantics|annotation(?:-xml)?'
/** Elements that sources use in titles and abstracts. Other text in angle brackets stays. */
const tags = elements(
  String.raw`a|abbr|alternatives|b|big|bold|br|break|code|disp-formula|div|em|ext-link|h[1-6]|i|inf|inline-formula|inline-graphic|italic|` +
  String.raw`jats:[\w-]+|li|mml:[\w-]+|monospace|named-content|ol|overline|ovl|p|roman|sans-serif|sc|scp|sec|small|span|strike|strong|` +
  `styled-content|sub|sup|tex-math|title|tt|u|ul|underline|xref|${math}`
)
const blocks = elements('p|br|div|li|h[1-6]|sec|jats:p|jats:sec|jats:title')

/** Removes markup and decodes entities. Returns one line in NFC. */
export const plainText = (text: string): string => collapse(unmarked(text))

/** Like `plainText`, but keeps paragraphs, separated by blank lines. */
export function plainParagraphs (text: string): string | null {
  const paragraphs = unmarked(text).split(/\n\s*\n|\u2029/).map(collapse).filter(paragraph => paragraph !== '')
  return paragraphs.length === 0 ? null : paragraphs.join('\n\n')
}

/** JATS with the usual prefix: some publishers deposit it with that of their own namespace, such as `ns4:p`. */
export const withUsualPrefix = (text: string): string =>
  text.includes('<') ? text.replace(/<(\/?)(?:ns|jats)\d+:(?=[a-z])/gi, '<$1jats:') : text

/** Decodes references with their semicolons alone: the second parameter of "?chr=1&region=2" is none. */
function unmarked (text: string): string {
  const unwrapped = unwrapFormulas(withUsualPrefix(text))
  if (!unwrapped.includes('<') && !unwrapped.includes('&')) return unwrapped
  const decoded = withUsualPrefix(decodeHTMLStrict(withoutTags(unwrapped)))
  const once = withoutTags(decoded)
  // Publishers deposit HTML escaped, and some escape its references again.
  return escapedReference.test(once) ? withoutTags(decodeHTMLStrict(once)) : once
}

const escapedReference = /&(?:amp|lt|gt|quot|nbsp|plusmn|#x?[\da-f]+);/i

const withoutTags = (text: string): string => unmarkFormulas(text).replace(exponents, raised).replace(blocks, '\n\n').replace(tags, '')

const exponents = /(?<=\d)<(?:jats:)?sup>\s*([-−–]?\d{1,4})\s*<\/(?:jats:)?sup>/gi
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** Digits as superscripts: 10⁶ without markup would be 106. */
const raised = (_markup: string, exponent: string): string =>
  exponent.replace(/\d/g, digit => superscripts[Number(digit)]!).replace(/[-−–]/, '⁻')

/** The content of a `sup` element that follows a text, as plain text. */
export const raisedAfter = (text: string, content: string): string =>
  /\d/.test(text.slice(-1)) && /^[-−–]?\d{1,4}$/.test(content.trim()) ? raised('', content.trim()) : content

const controls = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g

/** Collapses whitespace, including next line (U+0085) and separator controls, to single spaces. */
export const joinLines = (text: string): string => text.replace(/[\s\u0085\u001c-\u001f]{2,}|[^\S ]|[\u0085\u001c-\u001f]/g, ' ').trim()

/** Returns one line in NFC without control characters, which JSON and entities can write into any file. */
function collapse (text: string): string {
  const line = joinLines(text)
  return /^[ -~]*$/.test(line) ? line : normalForm(dotted(line.replace(controls, '')).toWellFormed(), 'NFC')
}

/** LaTeX writes í as an accent on a dotless i; Unicode uses an i. */
const dotted = (text: string) => text.replace(/ı(?=[\u0300-\u036f])/g, 'i').replace(/ȷ(?=[\u0300-\u036f])/g, 'j')
