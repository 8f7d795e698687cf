import type { Paper } from '../../../../schemas/paper.js'
import { citationFormats } from '../../../papers/citations/formats.js'
import { originTitle } from '../../../sources/index.js'
import { useView } from '../view.js'
import { ExternalLink } from './external-link.js'
import { formatCount } from './figures.js'
import { arxivAddress, doiAddress, pubmedAddress } from '../../../papers/paper-address.js'
import { publishedOn } from '../../../papers/published-on.js'

/** Authors beyond this number are collapsed. */
const visibleAuthors = 12

/**
 * The authors of a paper; a long list is collapsed.
 * @param max authors that are named; pages with many papers need it @param count number of all authors, if not all are listed
 */
export function Authors (
  { authors, max = authors.length, count = authors.length }: Pick<Paper, 'authors'> & { max?: number, count?: number }
) {
  if (authors.length === 0) return null
  const names = (from: number, to = max) => authors.slice(from, to).map(({ name }) => name).join(', ')
  if (count <= visibleAuthors + 3) return <p class='authors' dir='auto'>{names(0)}</p>
  return (
    <details class='authors'>
      <summary><bdi>{names(0, visibleAuthors)}</bdi> and {formatCount(count - visibleAuthors)} more</summary>
      <p><bdi>{names(visibleAuthors)}</bdi>{count > max && `, and ${formatCount(count - max)} more`}</p>
    </details>
  )
}

/** Venue, volume, issue, pages and date. */
export function Imprint ({ paper }: { paper: Pick<Paper, 'venue_name' | 'published_date' | 'metadata'> }) {
  const { venue_name, published_date, metadata } = paper
  const { volume, issue, pages } = metadata
  const text = (value: unknown) => typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const number = `${text(volume)}${text(issue) === '' ? '' : `(${text(issue)})`}`
  const place = venue_name === null ? '' : placeIn(number, text(pages))
  const date = published_date === null ? '' : publishedOn(published_date, metadata.published)
  if (venue_name === null && date === '') return null
  return <p class='imprint'>{venue_name !== null && <bdi>{venue_name}</bdi>}{place}{venue_name !== null && date !== '' && ' · '}{date}</p>
}

/** Volume and pages after the name of a venue. A range without a volume needs its abbreviation. */
function placeIn (number: string, pages: string): string {
  if (pages === '' || number !== '') return ` ${[number, pages].filter(part => part !== '').join(':')}`.trimEnd()
  return /\d\s*[–—-]/.test(pages) ? `, pp. ${pages}` : ` ${pages}`
}

/** Links to download a paper's citation, one per format. */
export function CiteLinks ({ paperId }: { paperId: string }) {
  const { to } = useView()
  const links = citationFormats.flatMap(({ name, title }) => {
    const address = to(`/papers/${paperId}/citation?format=${name}`)
    return [' ', <a key={name} href={address}>{title}</a>]
  })
  return <span class='cite'>Cite{links}</span>
}

/** A paper's identifiers as links, its web page and its source. */
export function Identifiers ({ paper: { external_ids, url, index_url, source } }: { paper: Paper }) {
  const { doi, arxiv, pmid, pmcid, openalex } = external_ids
  const known: Array<[name: string, text: string, href: string]> = []
  if (doi !== null) known.push(['DOI', doi, doiAddress(doi)])
  if (arxiv !== null) known.push(['arXiv', arxiv, arxivAddress(arxiv)])
  if (pmid !== null) known.push(['PubMed', pmid, pubmedAddress(pmid)])
  if (pmcid !== null) known.push(['PMC', pmcid, `https://pmc.ncbi.nlm.nih.gov/articles/${encodeURIComponent(pmcid)}/`])
  if (openalex !== null) known.push(['OpenAlex', openalex, `https://openalex.org/${encodeURIComponent(openalex)}`])
  const page = url ?? index_url
  return (
    <dl class='facts'>
      {known.map(([name, text, href]) => <div key={name}><dt>{name}</dt><dd><ExternalLink href={href}>{text}</ExternalLink></dd></div>)}
      {page !== null && !known.some(([,, href]) => href === page) && <div><dt>Web page</dt><dd><ExternalLink href={page} /></dd></div>}
      <div><dt>Source</dt><dd>{originTitle(source.name)}</dd></div>
    </dl>
  )
}
