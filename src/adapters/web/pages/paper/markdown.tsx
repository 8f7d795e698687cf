import type { Heading, RenderedMarkdown } from '../../markdown/rendered.js'

/** Fewer headings need no list of contents. */
const fewest = 3

/** A rendered text with its contents beside it. The one place where HTML is put into a page as it is: src/adapters/web/markdown made it. */
export const Markdown = ({ html, headings }: RenderedMarkdown) => (
  <div class='reading'>
    {headings.length >= fewest && <Contents headings={headings} />}
    <div class='prose text' dangerouslySetInnerHTML={{ __html: html }} />
  </div>
)

const Contents = ({ headings }: { headings: readonly Heading[] }) => (
  <nav class='contents' aria-label='Contents'>
    <details open>
      <summary>Contents</summary>
      <ul>{headings.filter(({ level }) => level <= 3).map(({ id, level, text }) => <li key={id} class={level === 2 ? '' : 'below'}><a href={`#${id}`}>{text}</a></li>)}</ul>
    </details>
  </nav>
)
