import { isOneOf } from '../../../../schemas/closed-lists.js'
import { maxTokenLength } from '../../../../schemas/link-token.js'
import { sharedFormats, type SharedPaper, sharedPageSize } from '../../../../schemas/sharing.js'
import { shortText } from '../../../../schemas/short-text.js'
import { sharedExport } from '../../../operations/sharing/shared-export.js'
import { sharedFeed, sharedFeedNotFound } from '../../../operations/sharing/shared-feed.js'
import { citationFormats } from '../../../papers/citations/formats.js'
import { doiAddress } from '../../../papers/paper-address.js'
import { ChangeBadges } from '../components/changes.js'
import { ExternalLink } from '../components/external-link.js'
import { Pager } from '../components/pager.js'
import { publishedOn } from '../../../papers/published-on.js'
import { Authors } from '../components/paper.js'
import { Abstract, prepareTexts, RichText } from '../components/rich-text.js'
import { fromText } from '../fields.js'
import { publicPage } from '../page.js'
import { useView } from '../view.js'

type Shared = Awaited<ReturnType<typeof sharedFeed.run>>

/** A malformed token is a wrong one. */
const readToken = (token: string | undefined): string => {
  if (token === undefined || token.length > maxTokenLength) throw sharedFeedNotFound()
  return token
}

/** The papers of a share link, for anyone who has it. */
export const sharedPage = publicPage({
  url: '/shared',
  isShared: true,
  operations: [sharedFeed],
  query: sharedFeed.input,
  async show (context, { token, offset }) {
    const feed = await sharedFeed.run(context, { token: readToken(token), offset }, fromText)
    await prepareTexts(feed.items.flatMap(({ title, abstract }) => [title, shownAbstract(abstract) ?? '']))
    return { title: feed.title, noindex: true, content: <SharedFeed feed={feed} token={token!} /> }
  }
})

/** The same papers as references. */
export const sharedExportPage = publicPage({
  url: '/shared/export',
  isShared: true,
  operations: [sharedExport],
  query: sharedExport.input,
  async show (context, { token, format }) {
    const { media_type, file_name, parts } = await sharedExport.run(context, { token: readToken(token), format }, fromText)
    return { file: { body: parts, type: media_type, name: file_name } }
  }
})

function SharedFeed ({ feed: { title, items, offset, has_more }, token }: { feed: Shared, token: string }) {
  const { to } = useView()
  const query = `token=${encodeURIComponent(token)}`
  return (
    <>
      <h1 dir='auto'>{title}</h1>
      <p class='lead'>A shared reading list, last added papers first.</p>
      <p class='item-links'>
        <a class='link-button' href={to(`/api/shared/atom?${query}`)}>Atom feed</a>
        {citationFormats.filter(({ name }) => isOneOf(sharedFormats, name)).map(({ name, title }) => (
          <a key={name} class='link-button' href={to(`/shared/export?${query}&format=${name}`)}>{title}</a>
        ))}
      </p>
      {items.length === 0
        ? offset === 0 && <p class='quiet-text'>No papers yet. They will appear here.</p>
        : <ol class='shared-list' start={offset + 1}>{items.map(paper => <Entry key={paper.id} paper={paper} />)}</ol>}
      <Pager
        {...{ offset, has_more }}
        limit={sharedPageSize}
        count={items.length}
        address={from => `/shared?${query}${from > 0 ? `&offset=${from}` : ''}`}
      />
    </>
  )
}

/** Authors and characters of an abstract that are shown: anyone may load a page of 50 papers, which is rendered at once. */
const [maxAuthors, maxAbstractLength] = [100, 5000]

const shownAbstract = (abstract: string | null): string | null => abstract === null ? null : shortText(abstract, maxAbstractLength)

function Entry ({ paper }: { paper: SharedPaper }) {
  const { title, authors, author_count, venue_name, published_date, published, doi, url, index_url, pdf_url, changes } = paper
  const abstract = shownAbstract(paper.abstract)
  const date = published_date === null ? null : publishedOn(published_date, published)
  const imprint = [venue_name, date].filter(part => part !== null && part !== '')
  const address = url ?? index_url
  return (
    <li>
      <RichText as='h2' text={title} />
      <Authors authors={authors} max={maxAuthors} count={author_count} />
      {imprint.length > 0 && <p class='imprint' dir='auto'>{imprint.join(' · ')}</p>}
      {changes.length > 0 && <p><ChangeBadges changes={changes} /></p>}
      {abstract !== null && (
        <details class='fold'>
          <summary>Abstract <span class='unseen'>of {title}</span></summary>
          <Abstract text={abstract} />
        </details>
      )}
      <p class='item-links'>
        {doi !== null && (
          <ExternalLink href={doiAddress(doi)} class='link-button'>DOI</ExternalLink>
        )}
        {pdf_url !== null && /^https?:/i.test(pdf_url) && <ExternalLink href={pdf_url} class='link-button'>PDF</ExternalLink>}
        {address !== null && <ExternalLink href={address} class='link-button'>Web page</ExternalLink>}
      </p>
    </li>
  )
}
