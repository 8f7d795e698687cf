import { Type } from 'typebox'
import { InvalidArguments, QuotaExceeded, RateLimited } from '../../../errors/operation-errors.js'
import { PaperInput } from '../../../../schemas/paper.js'
import type { TagsListResult } from '../../../../schemas/item-state.js'
import { tagsList } from '../../../operations/feed/tags-list.js'
import { feedNeighbors } from '../../../operations/feed/feed-neighbors.js'
import { projectProgress } from '../../../operations/projects/project-progress.js'
import { paperGet } from '../../../operations/papers/paper-get.js'
import { paperMarkdown } from '../../../operations/papers/paper-markdown.js'
import { paperPage as paperDetails } from '../../../operations/papers/paper-page.js'
import { paperReferences } from '../../../operations/papers/paper-references.js'
import { paperUpload } from '../../../operations/papers/paper-upload.js'
import { paperUploadDelete } from '../../../operations/papers/paper-upload-delete.js'
import { markdownWarning } from '../../../papers/notices.js'
import { maxRenderedCharacters, renderInWorker } from '../markdown/renderer.js'
import { accountPage, action } from '../page.js'
import { Icon } from '../components/icon.js'
import { Messages } from '../components/messages.js'
import { Changes } from '../components/changes.js'
import { ExternalLink } from '../components/external-link.js'
import { Authors, CiteLinks, Identifiers, Imprint } from '../components/paper.js'
import { Abstract, plainTitle, RichText } from '../components/rich-text.js'
import { useView } from '../view.js'
import { feedAddress } from './feed/address.js'
import { Shortcuts } from './feed/keys.js'
import { Marks, Note, TagParts, Tags } from './feed/marks.js'
import { TriageBar, Vote } from './feed/vote.js'
import { FullText, type FullTextProps, type WithheldText } from './paper/full-text.js'
import { type Place, findPlace, Steps, stepsQuery } from './paper/steps.js'
import { TuneDialog } from './project-tune/choice.js'

const maxListedLikes = 5

/** A paper: record and full text, votes and marks, and the papers before and after it in a list. */
export const paperPage = accountPage({
  url: '/papers/:paper_id',
  operations: [paperGet, paperMarkdown, paperDetails, paperReferences, tagsList, feedNeighbors, projectProgress],
  query: Type.Object({ ...stepsQuery.properties, ...PaperInput.properties }),
  async show (context, { paper_id, ...query }) {
    const paper = await paperGet.run(context, { paper_id })
    // One character more than it shows tells that there is more.
    const text = await paperMarkdown.run({ ...context, maxCharacters: maxRenderedCharacters + 1 }, { paper_id: paper.id })
      .catch(withheld)
    const details = await paperDetails.run(context, { paper_id: paper.id, job_id: text.job_id })
    const cited = await paperReferences.run(context, { paper_id: paper.id })
    // The page states notices above the text.
    const markdown = text.markdown?.replace(markdownWarning(paper.metadata), '')
    const rendered = markdown === undefined ? undefined : await renderInWorker(markdown, paper.title, { owner: context.account.id })
    const { items: known } = await tagsList.run(context, {})
    const place = await findPlace(context, details.feeds, { ...query, item: query.item ?? paper_id })
    const content = <PaperPage paper={paper} text={text} rendered={rendered} known={known} cited={cited} place={place} {...details} />
    return { title: plainTitle(paper.title), content }
  },
  actions: {
    upload: action({
      operations: [paperUpload],
      fields: Type.Pick(paperUpload.input, ['pdf']),
      async run (context, { paper_id, pdf }, { url }) {
        // A form without a chosen file sends an empty one.
        if (pdf?.size === undefined || pdf.size === 0) throw new InvalidArguments('Choose a PDF file.')
        await paperUpload.run(context, { paper_id, pdf })
        return { to: url, notice: 'PDF uploaded. Converting…' }
      }
    }),
    delete_upload: action({
      operations: [paperUploadDelete],
      fields: Type.Object({}),
      async run (context, { paper_id }, { url }) {
        await paperUploadDelete.run(context, { paper_id })
        return { to: url, notice: 'Your PDF’s text was removed.' }
      }
    })
  }
})

/** The paper is shown without a text that waits for its turn, or has no room. */
function withheld (error: unknown): WithheldText {
  if (error instanceof RateLimited) return { status: 'withheld', waits: true, reason: 'Other texts of yours come first.' }
  if (error instanceof QuotaExceeded) return { status: 'withheld', waits: false, reason: error.userMessage }
  throw error
}

type Cited = Awaited<ReturnType<typeof paperReferences.run>>

/** How often a paper is cited, and which papers it cites that the reader liked. */
function CitationLine ({ cited: { cited_by, liked } }: { cited: Cited }) {
  const { to } = useView()
  const papers = [...new Map(liked.map(paper => [paper.paper_id, paper])).values()]
  if (cited_by === null && papers.length === 0) return null
  return (
    <p class='quiet-text'>
      {cited_by !== null && `Cited by ${cited_by.toLocaleString('en')} ${cited_by === 1 ? 'work' : 'works'}. `}
      {papers.length > 0 && 'Cites papers you liked: '}
      {papers.slice(0, maxListedLikes).map(({ paper_id, title }, at) => (
        <span key={paper_id}>{at === 0 ? '' : '; '}<a href={to(`/papers/${paper_id}`)}><RichText as='span' text={title} /></a></span>
      ))}
      {papers.length > maxListedLikes && ` and ${papers.length - maxListedLikes} more`}
    </p>
  )
}

interface PaperPageProps extends FullTextProps {
  known: TagsListResult['items']
  cited: Cited
  place: Place | undefined
}

function PaperPage ({ known, cited, place, ...props }: PaperPageProps) {
  const { paper, feeds, text } = props
  const { to, url } = useView()
  return (
    <div class='paper'>
      <header class='paper-head'>
        {place !== undefined && (
          <div class='paper-place'>
            <p class='overline'>
              <a href={to(feedAddress({ ...place.location, item: place.item }))}>
                <Icon name='back' />
                {place.name}
              </a>
              {feeds.filter(({ project_id }) => project_id !== place.location.project_id).map(({ project_id, name, item }) => (
                <a key={project_id} href={to(`/projects/${project_id}?item=${item}`)}>
                  <Icon name='back' />
                  {name}
                </a>
              ))}
            </p>
            <Steps place={place} />
          </div>
        )}
        <RichText as='h1' text={paper.title} />
        <Authors authors={paper.authors} />
        <Imprint paper={paper} />
        <CitationLine cited={cited} />
        <Changes metadata={paper.metadata} />
        <div class='item-links'>
          {paper.pdf_url !== null && (
            <ExternalLink href={paper.pdf_url} class='link-button'>
              PDF
            </ExternalLink>
          )}
          {(paper.url ?? paper.index_url) !== null && (
            <ExternalLink href={(paper.url ?? paper.index_url)!} class='link-button'>
              Web page
            </ExternalLink>
          )}
          <CiteLinks paperId={paper.id} />
          <a class='link-button with-text' href={to(`/papers/${paper.id}/markdown`)}>Markdown</a>
        </div>
        {feeds.map(({ name, project_id, item: ref, ...item }) => {
          const address = `/projects/${project_id}?${new URLSearchParams({ item: ref, back: url })}`
          return (
            <div key={item.id} class='paper-marks'>
              <div class='paper-vote'>
                {feeds.length > 1 && <span class='quiet-text'>{name}</span>}
                <Vote item={item} address={address} />
                <Marks item={item} address={address} />
                <a class='link-button' href={to(`/projects/${project_id}/tune?item=${ref}`)} data-tune={item.id}>Tune</a>
              </div>
              <details class='fold' open={item.tags.length > 0 || item.note !== null}>
                <summary>Tags and note</summary>
                <Tags item={item} address={address} />
                <Note item={item} address={address} />
              </details>
            </div>
          )
        })}
        <TagParts known={known} />
      </header>
      {text.status !== 'ready' && (
        <section class='without-text' aria-labelledby='abstract-title'>
          <h2 id='abstract-title'>Abstract</h2>
          {paper.abstract === null ? <p class='quiet-text'>No abstract.</p> : <Abstract text={paper.abstract} />}
        </section>
      )}
      <FullText {...props} />
      {place !== undefined && <TriageBar />}
      {place !== undefined && <Shortcuts inPaper />}
      <Messages />
      {feeds.length > 0 && <TuneDialog />}
      <section class='paper-record' aria-labelledby='record-title'>
        <h2 id='record-title'>Identifiers and versions</h2>
        <Identifiers paper={paper} />
        {paper.versions.length > 0 && (
          <ul class='plain'>
            {paper.versions.map(({ paper_id, form }) => (
              <li key={paper_id}>
                <a href={to(`/papers/${paper_id}`)}>See the {form === 'preprint' ? 'preprint' : 'published version'} of this paper</a>
              </li>
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}
