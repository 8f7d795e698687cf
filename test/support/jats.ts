import { jatsToMarkdown } from '../../src/fulltext/jats/jats.js'

interface Parts { title?: string, meta?: string, body?: string, back?: string, floats?: string }

/** A JATS article of these parts. */
export const article = ({
  title = 'Small steps',
  meta = '',
  body = '<p>Text.</p>',
  back = '',
  floats = ''
}: Parts): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Archiving DTD v1.2//EN" "JATS-archivearticle1.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML"><front><article-meta><title-group><article-title>${title}</article-title></title-group>${meta}</article-meta></front><body>${body}</body><back>${back}</back>${floats}</article>`

/** The Markdown of an article of these parts. */
export const markdown = (parts: Parts): string => jatsToMarkdown(article(parts)).markdown

/** The Markdown of this body, without the title. */
export const body = (given: string): string => markdown({ body: given }).replace('# Small steps\n\n', '').trim()

/** The Markdown of this list of references, without what precedes it. */
export const references = (given: string): string =>
  markdown({ back: `<ref-list>${given}</ref-list>` })
    .replace(/^[^]*## References\n\n/, '')
    .trim()

/** The warnings about this body. */
export const warnings = (given: string): string[] => jatsToMarkdown(article({ body: given })).warnings
