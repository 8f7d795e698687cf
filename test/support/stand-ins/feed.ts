import { type Publication, authorsOf } from './papers.js'
import { escaped } from './server.js'

/* A journal feed in three formats. */

export const rss = (papers: readonly Publication[]) => `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>Journal of Stand-ins</title><link>https://journal.example.org/</link><description>Latest articles</description>
${papers
  .map(
    paper => `<item><title>${escaped(paper.title)}</title><link>https://journal.example.org/articles/${paper.doi ?? paper.title.length}</link><guid isPermaLink="false">${escaped(paper.doi ?? paper.title)}</guid>
<pubDate>${new Date(paper.date).toUTCString()}</pubDate><description>${escaped(`<p>${escaped(paper.abstract ?? '')}</p>`)}</description>
${authorsOf(paper)
  .map(([given, family]) => `<dc:creator>${escaped(`${given} ${family}`)}</dc:creator>`)
  .join(
    ''
  )}${paper.doi === undefined ? '' : `<dc:identifier>doi:${paper.doi}</dc:identifier><prism:doi>${paper.doi}</prism:doi>`}<prism:publicationName>${escaped(paper.venue ?? 'Journal of Stand-ins')}</prism:publicationName></item>`
  )
  .join('\n')}
</channel></rss>`

export const rdf = (papers: readonly Publication[]) => `<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:prism="http://purl.org/rss/1.0/modules/prism/">
<channel rdf:about="https://journal.example.org/rdf"><title>Journal of Stand-ins</title><link>https://journal.example.org/</link><description>Current issue</description></channel>
${papers
  .map(
    paper =>
      `<item rdf:about="https://journal.example.org/${paper.doi}"><title>${escaped(paper.title)}</title><link>https://journal.example.org/${paper.doi}</link><description>${escaped(paper.abstract ?? '')}</description><dc:creator>${authorsOf(
        paper
      )
        .map(([given, family]) => escaped(`${given} ${family}`))
        .join(', ')}</dc:creator><dc:date>${paper.date}</dc:date><dc:identifier>doi:${paper.doi}</dc:identifier></item>`
  )
  .join('\n')}
</rdf:RDF>`

export const atom = (papers: readonly Publication[]) => `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:journal</id><title>Journal of Stand-ins</title><updated>2026-11-20T00:00:00Z</updated>
${papers
  .map(
    paper =>
      `<entry><id>https://doi.org/${paper.doi}</id><title type="html">${escaped(escaped(paper.title))}</title><link rel="alternate" href="https://journal.example.org/${paper.doi}"/><published>${paper.date}T08:00:00Z</published><updated>${paper.date}T08:00:00Z</updated>${authorsOf(
        paper
      )
        .map(([given, family]) => `<author><name>${escaped(`${given} ${family}`)}</name></author>`)
        .join('')}<summary>${escaped(paper.abstract ?? '')}</summary></entry>`
  )
  .join('\n')}
</feed>`
