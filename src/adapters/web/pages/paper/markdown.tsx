import type { Heading, RenderedMarkdown } from '../../markdown/renderer.js'

/** Shorter texts have no table of contents. */
const minHeadings = 3

/** A rendered text with a table of contents. The only raw HTML of the pages: src/adapters/web/markdown makes it safe. */
export const Markdown = ({ html, headings }: RenderedMarkdown) => (
  <div class='reading'>
    {headings.length >= minHeadings && <Contents headings={headings} />}
    <div class='prose text' dangerouslySetInnerHTML={{ __html: html }} />
  </div>
)

const Contents = ({ headings }: { headings: readonly Heading[] }) => (
  <nav class='contents' aria-label='Contents'>
    <details open>
      <summary>Contents</summary>
      <ul>
        {headings
          .filter(({ level }) => level <= 3)
          .map(({ id, level, text }) => (
            <li key={id} class={level === 2 ? '' : 'below'}>
              <a href={`#${id}`}>{text}</a>
            </li>
          ))}
      </ul>
    </details>
  </nav>
)
