import { renderToString } from 'preact-render-to-string'
import type { UnmarkedItem } from '../../schemas/feed.js'
import type { Mail } from './mail.js'
import { detailStyle, pageStyle, titleStyle } from './page-style.js'

const maxListedItems = 50

export interface Digest { projectName: string, items: UnmarkedItem[], baseUrl: string }

/** Renders an email with the new papers of a feed, as plain text and HTML. */
export function digest ({ projectName, items, baseUrl }: Digest): Pick<Mail, 'subject' | 'text' | 'html'> {
  const listedItems = items.slice(0, maxListedItems)
  const moreCount = items.length - listedItems.length
  const papers = `${items.length} new ${items.length === 1 ? 'paper' : 'papers'}`
  const moreText = moreCount > 0 ? `And ${moreCount} more in the feed.` : ''
  const footer = `You receive this email because this project has an alert for your address. ${baseUrl}/`
  return {
    subject: `${projectName.replace(/\s+/g, ' ').slice(0, 100)}: ${papers}`,
    text: [`${papers} in "${projectName}"`, ...listedItems.map(asText), moreText, footer].filter(part => part !== '').join('\n\n'),
    html: `<!doctype html>\n${renderToString(<Page {...{ projectName, papers, listedItems, moreText, footer }} />)}`
  }
}

function asText ({ paper_title, must_read, relevance_score, personalized_note, summary, paper }: UnmarkedItem): string {
  return [
    `${must_read ? '* ' : ''}${paper_title}`,
    byline(paper),
    `${percent(relevance_score)} match${must_read ? ', must read' : ''}. ${personalized_note ?? ''}`.trim(),
    summary,
    paper.url
  ].filter(line => line !== null && line !== '').join('\n')
}

const byline = ({ authors, venue_name, published_date }: UnmarkedItem['paper']) =>
  [
    authors.length > 3 ? `${authors[0]!.name} and ${authors.length - 1} others` : authors.map(({ name }) => name).join(', '),
    venue_name,
    published_date
  ].filter(part => part).join(' · ')

const percent = (score: number) => `${Math.round(score * 100)} %`

interface PageProps { projectName: string, papers: string, listedItems: UnmarkedItem[], moreText: string, footer: string }

function Page ({ projectName, papers, listedItems, moreText, footer }: PageProps) {
  return (
    <html lang='en'>
      <head><meta charset='utf-8' /><title>{projectName}</title></head>
      <body style={pageStyle}>
        <h1 style={titleStyle}>{papers} in “{projectName}”</h1>
        {listedItems.map(item => <Item key={item.id} {...item} />)}
        <p>{moreText}</p>
        <p style={detailStyle}>{footer}</p>
      </body>
    </html>
  )
}

function Item ({ paper_title, paper, relevance_score, must_read, personalized_note, summary }: UnmarkedItem) {
  return (
    <article style='margin:0 0 1.5em'>
      <h2 style='font-size:16px;margin:0'>{paper.url === null ? paper_title : <a href={paper.url}>{paper_title}</a>}</h2>
      <p style={detailStyle}>{byline(paper)}</p>
      <p style={detailStyle}>{percent(relevance_score)} match{must_read && ', must read'}. {personalized_note}</p>
      <p style='margin:.3em 0 0'>{summary}</p>
    </article>
  )
}
