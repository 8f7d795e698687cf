import type { Paper } from '../../../../schemas/paper.js'
import { citationFormats } from '../../../papers/citations/formats.js'
import { originTitle } from '../../../sources/index.js'
import { useView } from '../view.js'
import { OutsideLink } from './outside-link.js'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** A day of publication; only the month where the day is the first, which is what sources that know no day state. */
export function publishedOn (date: string): string {
  const [year, month, day] = date.split('-')
  const name = months[Number(month) - 1]
  return day === '01' ? (month === '01' ? year! : `${name} ${year}`) : `${Number(day)} ${name} ${year}`
}

/** How many authors are named before the rest is folded. */
const authorsShown = 12

export function Authors ({ authors }: Pick<Paper, 'authors'>) {
  if (authors.length === 0) return null
  const names = (from: number, to?: number) => authors.slice(from, to).map(({ name }) => name).join(', ')
  if (authors.length <= authorsShown + 3) return <p class='authors'>{names(0)}</p>
  return (
    <details class='authors'>
      <summary><span>{names(0, authorsShown)}</span> and {authors.length - authorsShown} more</summary>
      <p>{names(authorsShown)}</p>
    </details>
  )
}

/** Where and when it came out. */
export function Imprint ({ paper: { venue_name, published_date, metadata } }: { paper: Pick<Paper, 'venue_name' | 'published_date' | 'metadata'> }) {
  const { volume, issue, pages } = metadata
  const text = (value: unknown) => typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  const place = `${text(volume)}${text(issue) === '' ? '' : `(${text(issue)})`}${text(pages) === '' ? '' : `${text(volume) + text(issue) === '' ? '' : ':'}${text(pages)}`}`
  const parts = [venue_name === null ? '' : `${venue_name}${place === '' ? '' : ` ${place}`}`, published_date === null ? '' : publishedOn(published_date)].filter(part => part !== '')
  return parts.length === 0 ? null : <p class='imprint'>{parts.join(' · ')}</p>
}

/** The paper's reference to save, a link for each format. */
export function CiteLinks ({ paperId }: { paperId: string }) {
  const { to } = useView()
  const links = citationFormats.flatMap(({ name, title }) => [' ', <a key={name} href={to(`/papers/${paperId}/citation?format=${name}`)} download>{title}</a>])
  return <span class='cite'>Cite{links}</span>
}

/** What identifies the paper elsewhere, each a link. */
export function Identifiers ({ paper: { external_ids: { doi, arxiv, pmid, pmcid, openalex }, url, index_url, source } }: { paper: Paper }) {
  const known: Array<[name: string, text: string, href: string]> = []
  if (doi !== null) known.push(['DOI', doi, `https://doi.org/${encodeURIComponent(doi).replaceAll('%2F', '/')}`])
  if (arxiv !== null) known.push(['arXiv', arxiv, `https://arxiv.org/abs/${encodeURI(arxiv)}`])
  if (pmid !== null) known.push(['PubMed', pmid, `https://pubmed.ncbi.nlm.nih.gov/${encodeURIComponent(pmid)}/`])
  if (pmcid !== null) known.push(['PMC', pmcid, `https://pmc.ncbi.nlm.nih.gov/articles/${encodeURIComponent(pmcid)}/`])
  if (openalex !== null) known.push(['OpenAlex', openalex, `https://openalex.org/${encodeURIComponent(openalex)}`])
  const page = url ?? index_url
  return (
    <dl class='facts'>
      {known.map(([name, text, href]) => <div key={name}><dt>{name}</dt><dd><OutsideLink href={href}>{text}</OutsideLink></dd></div>)}
      {page !== null && !known.some(([,, href]) => href === page) && <div><dt>Web page</dt><dd><OutsideLink href={page} /></dd></div>}
      <div><dt>Source</dt><dd>{originTitle(source.name)}</dd></div>
    </dl>
  )
}
