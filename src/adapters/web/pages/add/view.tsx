import { type Job, isUnfinished } from '../../../../../schemas/job.js'
import { PaperAddInput } from '../../../../../schemas/feed.js'
import { isAnswered } from '../../../../operations/papers/paper-lookup.js'
import { typedIdentifier } from '../../../../papers/identifier-in-text.js'
import { listLookups } from '../../../../sources/fetching/lookup.js'
import { boundsOf } from '../../fields.js'
import { Copy } from '../../components/copy.js'
import { Field, Form, RefusalNotice, Select } from '../../components/form.js'
import { Notice } from '../../components/notice.js'
import { refreshWhile, UpdatesItself } from '../../components/refreshing.js'
import { useView } from '../../view.js'

interface AddPaperProps {
  /** Address of the service. */
  address: string
  projects: ReadonlyArray<{ id: string, name: string }>
  /** The chosen project. */
  project: string | undefined
  /** Whether a browser or a phone shared something. */
  isShared: boolean
  /** The title that was shared. */
  title: string | undefined
  identifier: string
  /** Kind of reference in the shared text: a page is fetched when it is added. */
  found: 'identifier' | 'page' | 'nothing'
}

/** The form that adds a paper to a project, and how to reach it from other pages. */
export function AddPaper ({ address, projects, project, isShared, title, identifier, found }: AddPaperProps) {
  const { to, refused, entered } = useView()
  return (
    <div class='narrow'>
      <h1>Add a paper</h1>
      {projects.length === 0 && <RefusalNotice actions={['add']} />}
      {projects.length === 0
        ? (
          <p class='empty'>
            Papers are added to a project, and you have none yet. <a href={to('/projects/new')}>Create your first project</a>.
          </p>
          )
        : (
          <Form action='add' address='/add' class='stack'>
            {isShared && title !== undefined && (
              <p dir='auto'>
                <b>{title.slice(0, 300)}</b>
              </p>
            )}
            {isShared && found === 'nothing' && (
              <Notice kind='warn'>No identifier or page was shared. Enter a DOI, PMID, PMCID, arXiv id, URL or title.</Notice>
            )}
            {isShared && found === 'page' && <p class='quiet-text'>Litfeed will read the page and look for the identifier of its paper.</p>}
            <Field
              name='identifier'
              label='Identifier, page or title'
              hint='DOI, PMID, PMCID or arXiv id, plain or as a URL, the URL of the paper’s page, or its whole title.'
              value={identifier}
              required
              {...boundsOf(PaperAddInput.properties.identifier)}
            />
            <Select
              name='project_id'
              label='Project'
              {...(project === undefined ? {} : { value: project })}
              options={projects.map(({ id, name }) => ({ value: id, label: name }))}
            />
            <button>Add paper</button>
            {refused !== undefined && projects.some(({ id }) => id === entered.project_id) && (
              <OtherWays projectId={String(entered.project_id)} identifier={String(entered.identifier)} error={refused.message()} />
            )}
          </Form>
          )}
      {!isShared && <Ways address={address} />}
    </div>
  )
}

/**
 * Opens this page with what the page in front of the reader states about itself. It reads the tags that publishers write for Google
 * Scholar. The Dublin Core identifier may be any number of the publisher, so only a DOI counts.
 * @see https://scholar.google.com/intl/en/scholar/inclusion.html#indexing
 */
const bookmarklet = (address: string): string => {
  const script = [
    '(()=>{const m=n=>document.querySelector("meta[name="+JSON.stringify(n)+" i]")?.content||"";',
    'const pmid=m("citation_pmid"),dc=m("dc.identifier");const identifier=m("citation_doi")||m("citation_arxiv_id")||',
    '(pmid&&"PMID "+pmid)||m("prism.doi")||(dc.includes("10.")?dc:"");',
    'const shared=new URLSearchParams({identifier,url:location.href,title:document.title.slice(0,300)});',
    `open(${JSON.stringify(`${address}/add?`)}+shared,"_blank")})()`
  ].join('')
  return `javascript:${encodeURIComponent(script)}`
}

const Ways = ({ address }: { address: string }) => (
  <>
    <section aria-labelledby='ways' class='stack-small'>
      <h2 id='ways'>From any page</h2>
      <p>
        Drag this link to your bookmarks:{' '}
        <a class='button secondary small' href={bookmarklet(address)}>
          Add to Litfeed
        </a>
      </p>
      <p class='quiet-text'>
        On the page of a paper, it opens this form with the paper’s identifier. If you cannot drag it, create a bookmark with this
        address:
      </p>
      <Copy text={bookmarklet(address)} label='Bookmarklet address' />
    </section>
    <section aria-labelledby='phone'>
      <h2 id='phone'>From a phone</h2>
      <p>Open this site in Chrome on Android, choose “Add to Home screen”, and then share a paper from any app with Litfeed.</p>
      <p>
        On an iPhone, bookmark any page in Safari, then edit the bookmark and replace its address with that of the bookmarklet above. Open
        it on the page of a paper.
      </p>
    </section>
  </>
)

/** The progress of a job that asks the sources for a paper. Refreshes itself. @param item address of the added paper */
export function LookingUp ({ job, identifier, item }: { job: Job, identifier: string, item: string | undefined }) {
  const { to, url } = useView()
  const { id, state, error, project_id } = job
  const isLookingUp = isUnfinished({ state })
  return (
    <div class='narrow' data-job={id} {...refreshWhile(isLookingUp, '#content', to(url))}>
      <h1>Add a paper</h1>
      {item !== undefined && <Notice kind='good'>{identifier} is in your feed. <a href={to(item)}>Open it</a>.</Notice>}
      {isLookingUp && (
        <div class='panel'>
          <p role='status'>Looking up {identifier} at the sources. This takes a few seconds.</p>
          {error !== null && <p class='quiet-text'>Last attempt failed: {error}</p>}
          <UpdatesItself address={to(url)}> You may close it.</UpdatesItself>
        </div>
      )}
      {!isLookingUp && item === undefined && (
        <Notice kind='bad'>
          {identifier} was not added. {error ?? 'The paper is no longer in the feed.'}
        </Notice>
      )}
      {state === 'failed' && project_id !== null && <OtherWays projectId={project_id} identifier={identifier} error={error ?? ''} />}
      <p>
        <a href={to('/add')}>Add another paper</a>
      </p>
    </div>
  )
}

/** Where an identifier was looked up, and how a paper is added without it. @param error why it was not added, with disabled sources */
function OtherWays ({ projectId, identifier, error }: { projectId: string, identifier: string, error: string }) {
  const { to } = useView()
  const read = typedIdentifier(identifier)
  const asked = read === undefined || !isAnswered(error) ? [] : listLookups(read).filter(title => !error.includes(title))
  const page = to(`/projects/${projectId}/import`)
  const isTitle = read === undefined && !/^https?:/i.test(identifier)
  return (
    <p>
      {asked.length > 0 && `Looked up in ${asked.join(', ')}. `}
      You can also <a href={page}>import a file</a> with its record
      {!isTitle && <>, or <a href={`${page}#paste-title`}>look it up by its title</a></>}.
    </p>
  )
}
