import { Type } from 'typebox'
import { InvalidArguments } from '../../../errors/operation-errors.js'
import type { TagsListResult } from '../../../../schemas/item-state.js'
import { tagsList } from '../../../operations/feed/tags-list.js'
import { paperGet } from '../../../operations/papers/paper-get.js'
import { paperMarkdown } from '../../../operations/papers/paper-markdown.js'
import { paperPage as paperDetails } from '../../../operations/papers/paper-page.js'
import { paperReferences } from '../../../operations/papers/paper-references.js'
import { paperUpload } from '../../../operations/papers/paper-upload.js'
import { renderInWorker } from '../markdown/renderer.js'
import { accountPage, action } from '../page.js'
import { Icon } from '../components/icon.js'
import { Messages } from '../components/messages.js'
import { Changes } from '../components/changes.js'
import { ExternalLink } from '../components/external-link.js'
import { Authors, CiteLinks, Identifiers, Imprint } from '../components/paper.js'
import { Abstract, RichText } from '../components/rich-text.js'
import { useView } from '../view.js'
import { Marks, Note, TagParts, Tags } from './feed/marks.js'
import { Vote } from './feed/vote.js'
import { FullText, type FullTextProps } from './paper/full-text.js'

const maxListedLikes = 5

/** A paper: record and full text. */
export const paperPage = accountPage({
  url: '/papers/:paper_id',
  operations: [paperGet, paperMarkdown, paperDetails, paperReferences, tagsList],
  query: paperGet.input,
  async show (context, input) {
    const paper = await paperGet.run(context, input)
    const text = await paperMarkdown.run(context, { paper_id: paper.id })
    const details = await paperDetails.run(context, { paper_id: paper.id, job_id: text.job_id })
    const cited = await paperReferences.run(context, { paper_id: paper.id })
    const rendered = text.markdown === undefined ? undefined : await renderInWorker(text.markdown, paper.title)
    const { items: known } = await tagsList.run(context, {})
    const content = <PaperPage paper={paper} text={text} rendered={rendered} known={known} cited={cited} {...details} />
    return { title: paper.title, content }
  },
  actions: {
    upload: action({
      operations: [paperUpload],
      fields: Type.Pick(paperUpload.input, ['pdf']),
      async run (context, { paper_id, pdf }) {
        if (pdf === undefined || pdf.length === 0) throw new InvalidArguments('Choose a PDF file.')
        await paperUpload.run(context, { paper_id, pdf })
        return { to: `/papers/${paper_id}`, notice: 'PDF uploaded. Converting…' }
      }
    })
  }
})

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

function PaperPage ({ known, cited, ...props }: FullTextProps & { known: TagsListResult['items'], cited: Cited }) {
  const { paper, feeds, text } = props
  const { to } = useView()
  return (
    <div class='paper'>
      <header class='paper-head'>
        {feeds.length > 0 && (
          <p class='overline'>
            {feeds.map(({ project_id, name, item }) => (
              <a key={project_id} href={to(`/projects/${project_id}?item=${item}`)}>
                <Icon name='back' />
                {name}
              </a>
            ))}
          </p>
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
          {text.status === 'ready' && <a class='link-button' href={to(`/papers/${paper.id}/markdown`)} download>Markdown</a>}
        </div>
        {feeds.map(({ name, project_id, item: ref, ...item }) => {
          const address = `/projects/${project_id}?item=${ref}`
          return (
            <div key={item.id} class='paper-marks'>
              <div class='paper-vote'>
                {feeds.length > 1 && <span class='quiet-text'>{name}</span>}
                <Vote item={item} address={address} />
                <Marks item={item} address={address} />
                <a class='link-button' href={to(`/projects/${project_id}/tune?item=${ref}`)}>Tune</a>
              </div>
              <Tags item={item} address={address} />
              <Note item={item} address={address} />
            </div>
          )
        })}
        <TagParts known={known} />
        {/* Scripts know the list that the reader came from. */}
        <nav
          id='paper-steps'
          class='paper-steps'
          aria-label='Feed'
          data-papers={to('/papers/')}
          data-items={feeds.map(({ id }) => id).join(' ')}
          hidden
        >
          <a class='link-button' data-step='-1'>
            <Icon name='back' />
            Previous
          </a>
          <a class='link-button' data-step='1'>
            Next
            <Icon name='next' />
          </a>
        </nav>
      </header>
      {text.status !== 'ready' && (
        <section aria-labelledby='abstract-title'>
          <h2 id='abstract-title'>Abstract</h2>
          {paper.abstract === null ? <p class='quiet-text'>No abstract.</p> : <Abstract text={paper.abstract} />}
        </section>
      )}
      <FullText {...props} />
      <Messages />
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
