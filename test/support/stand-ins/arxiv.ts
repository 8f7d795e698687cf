import type { Test } from 'tap'
import { type Publication, authorsOf, matchesQuery } from './papers.js'
import { escaped, parametersOf, type StandIn, standIn, xml } from './server.js'

/** arXiv's API at /api/query, and its HTML and PDF at /html and /pdf. */
export const arxivStandIn = async (
  t: Test | undefined,
  papers: readonly Publication[],
  documents: Record<string, string | Uint8Array> = {}
): Promise<StandIn> =>
  await standIn(t, request => {
    const document = documents[request.url.pathname]
    if (document !== undefined) {
      return { headers: { 'content-type': request.url.pathname.startsWith('/pdf') ? 'application/pdf' : 'text/html' }, body: document }
    }
    if (request.url.pathname !== '/api/query') return { status: 404, body: '<html><body>No HTML for this paper</body></html>' }
    const parameters = parametersOf(request)
    const query = parameters.get('search_query') ?? ''
    const start = parameters.get('start') ?? '0'
    if (!/^\d+$/.test(start)) return xml(errorFeed('start must be an integer'))
    const size = Number(parameters.get('max_results') ?? 10)
    const [, from, to] = /submittedDate:\[(\d{8})0000 TO (\d{8})2359\]/.exec(query) ?? []
    // arXiv leaves the subject class of old ids out.
    const wanted = parameters.get('id_list')?.replace(/\.[A-Z]{2}\//g, '/').split(',')
    const found = papers
      .filter(paper => wanted === undefined || (paper.arxiv !== undefined && wanted.includes(paper.arxiv)))
      .filter(
        paper => paper.arxiv !== undefined && matchesQuery(paper, query.replace(/submittedDate:\[.*?\]|\b(?:all|ti|abs|cat|AND):?/g, ' '))
      )
      .filter(({ date }) => from === undefined || (date.replaceAll('-', '') >= from && date.replaceAll('-', '') <= to!))
      .sort((a, b) => a.date.localeCompare(b.date))
    // arXiv searches an unknown field in all fields and reveals that only in the title of the feed.
    const asUnderstood = query.replace(/\b(?!all\b|ti\b|au\b|abs\b|cat\b|submittedDate\b)([a-z_]+):/gi, 'all:$1:')
    return xml(`<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/stand-in</id>
  <title>arXiv Query: search_query=${escaped(asUnderstood)}&amp;id_list=&amp;start=${start}&amp;max_results=${size}</title>
  <updated>2026-11-20T00:00:00Z</updated>
  <opensearch:itemsPerPage>${size}</opensearch:itemsPerPage>
  <opensearch:totalResults>${found.length}</opensearch:totalResults>
  <opensearch:startIndex>${start}</opensearch:startIndex>
${found.slice(Number(start), Number(start) + size).map(entry).join('\n')}
</feed>`)
  })

function entry (paper: Publication): string {
  const id = `${paper.arxiv}v${paper.version ?? 1}`
  return `  <entry>
    <id>http://arxiv.org/abs/${id}</id>
    <title>${escaped(paper.title).replace(/(.{60,70}) /g, '$1\n  ')}</title>
    <updated>${paper.updated ?? paper.date}T17:59:59Z</updated>
    <link href="https://arxiv.org/abs/${id}" rel="alternate" type="text/html"/>
    <link href="https://arxiv.org/pdf/${id}" rel="related" type="application/pdf" title="pdf"/>
    <summary>${escaped(paper.abstract ?? '').replace(/(.{60,70}) /g, '$1\n')}</summary>
    <category term="cs.CL" scheme="http://arxiv.org/schemas/atom"/>
    <published>${paper.date}T17:59:59Z</published>
    <arxiv:primary_category term="cs.CL"/>
    ${authorsOf(paper).map(([given, family]) => `<author><name>${escaped(`${given} ${family}`)}</name></author>`).join('\n    ')}
    ${paper.publishedDoi === undefined ? '' : `<arxiv:doi>${escaped(paper.publishedDoi)}</arxiv:doi>`}
    ${paper.journalRef === undefined ? '' : `<arxiv:journal_ref>${escaped(paper.journalRef)}</arxiv:journal_ref>`}
    ${paper.comment === undefined ? '' : `<arxiv:comment>${escaped(paper.comment)}</arxiv:comment>`}
  </entry>`
}

export const errorFeed = (message: string) => `<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns="http://www.w3.org/2005/Atom">
  <id>http://arxiv.org/api/errors#stand_in</id>
  <title type="html">arXiv Search Results</title>
  <opensearch:totalResults>1</opensearch:totalResults>
  <entry>
    <id>http://arxiv.org/api/errors#stand_in</id>
    <title>Error</title>
    <summary>${escaped(message)}</summary>
    <author><name>arXiv api core</name></author>
  </entry>
</feed>`
