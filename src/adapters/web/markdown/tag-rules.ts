import type { MarkdownIt, Token } from 'markdown-it'

const form = /<(\/?)(sub|sup|em|strong|br)>/y

/**
 * Parses the few HTML tags that our converters write where Markdown has no syntax: without attributes, and properly nested. Everything else
 * stays text.
 */
export function tagRules (markdown: MarkdownIt): void {
  markdown.inline.ruler.before('html_inline', 'tag', (state, silent) => {
    if (state.src[state.pos] !== '<') return false
    form.lastIndex = state.pos
    const [written, slash, name] = form.exec(state.src) ?? []
    if (written === undefined || (slash === '/' && name === 'br')) return false
    if (!silent) {
      // Pushed with nesting 0, because the parser keeps its own nesting level.
      const token = state.push('tag', name!, 0)
      token.content = written
      token.nesting = name === 'br' ? 0 : slash === '/' ? -1 : 1
    }
    state.pos += written.length
    return true
  })
  markdown.core.ruler.push('balance_tags', ({ tokens }) => {
    for (const { type, children } of tokens) if (type === 'inline' && children !== null) balance(children)
  })
}

/** Converts tags to text that are not closed within their parent. */
function balance (tokens: Token[]): void {
  const open: Token[] = []
  for (const token of tokens) {
    if (token.nesting === 1) open.push(token)
    if (token.nesting !== -1) continue
    if (token.type === 'tag') {
      if (open.at(-1)?.type === 'tag' && open.at(-1)!.tag === token.tag) open.pop()
      else asText(token)
    } else {
      // Tags that are open inside emphasis or a link end with it.
      while (open.at(-1)?.type === 'tag') asText(open.pop()!)
      open.pop()
    }
  }
  for (const token of open) if (token.type === 'tag') asText(token)
}

function asText (token: Token): void {
  token.type = 'text'
  token.tag = ''
  token.nesting = 0
}
