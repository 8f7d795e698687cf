import { renderToString } from 'preact-render-to-string'
import type { UnmarkedItem } from '../../schemas/feed.js'
import type { Notice } from '../../schemas/notice.js'
import { score } from '../../schemas/points.js'
import { describeNotice, describeNotices, noticesIn } from '../papers/notices.js'
import { publishedOn } from '../papers/published-on.js'
import { type Mail, oneLineName } from './mail.js'
import { detailStyle, pageStyle, titleStyle } from './page-style.js'

/** The best new papers, which a digest lists. */
export const maxListedItems = 50

/** A paper with what became of it since it was read. */
export interface ChangedPaper {
  paper_id: string
  paper_title: string
  reference_label: string | null
  doi: string | null
  url: string | null
  notices: Notice[]
}

export interface Digest {
  projectName: string
  projectId: string
  /** The best new papers; those beyond `maxListedItems` are not listed. */
  items: UnmarkedItem[]
  /** Number of new papers; default: as many as `items`. */
  count?: number
  /** Papers that the reader chose, with new notices. */
  changed?: ChangedPaper[]
  baseUrl: string
  /** Address of a page that ends the digests. */
  unsubscribeUrl: string
  /** The account that set up the alert, if the recipient's address is another one. */
  setUpBy?: string | undefined
  /** Whether it only shows what digests look like. */
  isTest?: boolean
}

/** Renders an email with the new papers of a feed, as plain text and HTML. */
export function digest (
  { projectName, projectId, items, count = items.length, changed = [], baseUrl, unsubscribeUrl, setUpBy, isTest = false }: Digest
): Pick<Mail, 'subject' | 'text' | 'html' | 'unsubscribeUrl'> {
  const listedItems = items.slice(0, maxListedItems)
  const moreCount = count - listedItems.length
  const papers = [
    ...(count > 0 || changed.length === 0 ? [`${count} new ${count === 1 ? 'paper' : 'papers'}`] : []),
    ...(changed.length > 0 ? [`${changed.length} changed ${changed.length === 1 ? 'paper' : 'papers'}`] : [])
  ].join(', ')
  const moreText = moreCount > 0 ? `And ${moreCount} more in the feed.` : ''
  const feedUrl = `${baseUrl}/projects/${projectId}`
  const quotedName = `“${oneLineName(projectName)}”`
  const title = isTest ? `Test email for ${quotedName}` : `${papers} in ${quotedName}`
  const introduction = isTest
    ? 'This alert works. ' +
      (items.length === 0 ? 'The feed has no papers yet.' : 'Digests look like this; these are the latest papers of the feed.')
    : ''
  const reason = setUpBy === undefined ? 'this project has an alert for your address' : `${setUpBy} set up an alert for your address`
  const footer = `You receive this email because ${reason}. ${baseUrl}/`
  return {
    subject: `${oneLineName(projectName)}: ${isTest ? 'test email' : papers}`,
    text: [title, introduction, ...changedTexts(changed), ...listedItems.map(asText), moreText, `Feed: ${feedUrl}`, footer,
      `Unsubscribe: ${unsubscribeUrl}`]
      .filter(part => part !== '')
      .join('\n\n'),
    html: '<!doctype html>\n' +
      renderToString(<Page {...{ title, introduction, changed, listedItems, moreText, feedUrl, footer, unsubscribeUrl }} />),
    unsubscribeUrl
  }
}

const changedTitle = 'Updates to your papers'

const changedTexts = (changed: readonly ChangedPaper[]): string[] => changed.length === 0
  ? []
  : [changedTitle, ...changed.map(({ paper_title, notices }) =>
      [paper_title, ...notices.map(withReadableDate).map(describeNotice)].join('\n'))]

function asText ({ paper_title, must_read, relevance_score, personalized_note, summary, paper }: UnmarkedItem): string {
  return [
    `${must_read ? '* ' : ''}${paper_title}`,
    byline(paper),
    noticesOf(paper) ?? null,
    `${scoreText({ relevance_score, must_read })} ${personalized_note ?? ''}`.trim(),
    summary,
    paper.url
  ].filter(line => line !== null && line !== '').join('\n')
}

const scoreText = ({ relevance_score, must_read }: Pick<UnmarkedItem, 'relevance_score' | 'must_read'>) =>
  `Score ${score(relevance_score)} of 100${must_read ? ', must read' : ''}.`

const withReadableDate = (notice: Notice): Notice => ({ ...notice, date: notice.date && publishedOn(notice.date) })

const noticesOf = ({ metadata }: UnmarkedItem['paper']) =>
  describeNotices({ ...metadata, notices: noticesIn(metadata).map(withReadableDate) })

const byline = ({ authors, venue_name, published_date, metadata }: UnmarkedItem['paper']) =>
  [
    authors.length > 3 ? `${authors[0]!.name} and ${authors.length - 1} others` : authors.map(({ name }) => name).join(', '),
    venue_name,
    published_date && publishedOn(published_date, metadata.published)
  ].filter(part => part).join(' · ')

interface PageProps {
  title: string
  introduction: string
  changed: ChangedPaper[]
  listedItems: UnmarkedItem[]
  moreText: string
  /** Address of the feed. */
  feedUrl: string
  footer: string
  unsubscribeUrl: string
}

function Page ({ title, introduction, changed, listedItems, moreText, feedUrl, footer, unsubscribeUrl }: PageProps) {
  return (
    <html lang='en'>
      <head><meta charset='utf-8' /><title>{title}</title></head>
      <body style={pageStyle}>
        <h1 style={titleStyle}>{title}</h1>
        {introduction !== '' && <p>{introduction}</p>}
        {changed.length > 0 && <h2 style='font-size:17px'>{changedTitle}</h2>}
        {changed.map(paper => <Changed key={paper.paper_id} {...paper} />)}
        {changed.length > 0 && listedItems.length > 0 && <h2 style='font-size:17px'>New papers</h2>}
        {listedItems.map(item => <Item key={item.id} {...item} />)}
        <p>{moreText} <a href={feedUrl}>Open the feed</a></p>
        <p style={detailStyle}>{footer} <a href={unsubscribeUrl}>Unsubscribe</a></p>
      </body>
    </html>
  )
}

function Changed ({ paper_title, url, notices }: ChangedPaper) {
  return (
    <article style='margin:0 0 1.5em'>
      <h3 style='font-size:16px;margin:0'>{url === null ? paper_title : <a href={url}>{paper_title}</a>}</h3>
      {notices.map((notice, at) => (
        <p key={at} style='margin:.3em 0 0'>
          <strong>{notice.label}</strong>{describeNotice({ ...withReadableDate(notice), url: null }).slice(notice.label.length)}
          {notice.url !== null && <> <a href={notice.url}>Read the notice</a></>}
        </p>
      ))}
    </article>
  )
}

function Item ({ paper_title, paper, relevance_score, must_read, personalized_note, summary }: UnmarkedItem) {
  const notices = noticesOf(paper)
  return (
    <article style='margin:0 0 1.5em'>
      <h2 style='font-size:16px;margin:0'>{paper.url === null ? paper_title : <a href={paper.url}>{paper_title}</a>}</h2>
      <p style={detailStyle}>{byline(paper)}</p>
      {notices !== undefined && <p style='margin:.3em 0 0'><strong>{notices}</strong></p>}
      <p style={detailStyle}>{scoreText({ relevance_score, must_read })} {personalized_note}</p>
      <p style='margin:.3em 0 0'>{summary}</p>
    </article>
  )
}
