import type { Static } from 'typebox'
import { type LibraryImport, type LibraryImports, maxLibraryBytes } from '../../../../../schemas/library-import.js'
import { importExtensions, importTitles } from '../../../../imports/file-format.js'
import { Busy } from '../../components/busy.js'
import { Confirm } from '../../components/confirm.js'
import { Checkbox, Field, FileField, Form, RefusalNotice } from '../../components/form.js'
import { Pager } from '../../components/pager.js'
import { refreshWhile, UpdatesItself } from '../../components/refreshing.js'
import { Time } from '../../components/time.js'
import { formatCount, formatRecords } from '../../components/figures.js'
import { useView } from '../../view.js'
import { RejectionList } from './rejections.js'
import { isUnfinished } from '../../../../../schemas/job.js'

/** Counts journal feeds in words. */
export const feeds = (count: number): string => `${formatCount(count)} ${count === 1 ? 'journal feed' : 'journal feeds'}`

/** Rejected records of an import, and the number of all. */
export type Rejected = Pick<NonNullable<LibraryImport['result']>, 'rejected' | 'rejected_count'>

interface ImportsProps {
  imports: Static<typeof LibraryImports>
  /** What failed imports rejected before they failed, by their ids. */
  ofFailed?: ReadonlyMap<string, Rejected> | undefined
  /** The address of the first page. */
  path: string
}

/** The form that imports a file, and the imports before, with their progress and what was rejected and why. */
export function ProjectImport ({ imports, ofFailed, path }: ImportsProps) {
  const { to, url } = useView()
  return (
    <>
      <h1>Import</h1>
      <p class='lead page-lead'>
        Add the papers that you already have: an export of a database, such as PubMed, Scopus, Embase or Web of Science, of a reference
        manager, such as Zotero, Mendeley or EndNote, or of a spreadsheet. An OPML file of a feed reader adds its journal feeds to the
        project’s sources.
      </p>
      <Form
        action='import'
        upload
        class='stack form-column'
        data-imports=''
        hx-post={to(url)}
        hx-encoding='multipart/form-data'
        hx-target='#content'
        hx-select='#content'
        hx-swap='outerHTML show:top'
        hx-sync='this:drop'
        hx-indicator='#importing'
      >
        <FileField
          name='file'
          label='File'
          accept={importExtensions.join(',')}
          several
          hint={`${importTitles.slice(0, -1).join(', ')}, or ${importTitles.at(-1)}.`}
          maxBytes={maxLibraryBytes}
        />
        <Checkbox
          name='learn'
          label='Upvote these papers'
          hint='The feed learns from them. Papers already in the feed keep their votes.'
        />
        <div class='buttons'>
          <button>Import</button>
          <Busy id='importing'>Uploading…</Busy>
        </div>
      </Form>
      <section aria-labelledby='paste-title'>
        <h2 id='paste-title'>Paste papers</h2>
        <Form action='add' class='stack form-column'>
          <Field
            name='papers'
            label='Papers'
            type='lines'
            rows={4}
            required
            preserve
            hint='A DOI, PMID, PMCID, arXiv id or title per line. Each is looked up at the sources.'
          />
          <Checkbox
            name='learn'
            id='learn-pasted'
            label='Upvote pasted papers'
            hint='Also upvotes unrated papers already in the feed.'
            checked
          />
          <div class='buttons'><button class='secondary'>Add papers</button></div>
        </Form>
      </section>
      <Imports imports={imports} ofFailed={ofFailed} path={path} />
    </>
  )
}

/** The imports. Refreshes itself while one is unfinished. */
function Imports ({ imports: { items, offset, limit, has_more }, ofFailed, path }: ImportsProps) {
  const { to, url } = useView()
  return (
    <section id='imports' aria-labelledby='imports-title' {...refreshWhile(items.some(isUnfinished), '#imports', to(url))}>
      <h2 id='imports-title'>Imports</h2>
      <RefusalNotice actions={['undo']} />
      {items.length === 0 && offset === 0
        ? <p class='quiet-text'>No imports yet. Each will show what it added and which records were rejected.</p>
        : (
          <ul class='plain stack'>
            {items.map(each => <Import key={each.id} imported={each} rejections={each.result ?? ofFailed?.get(each.id)} path={path} />)}
          </ul>
          )}
      <Pager
        label='Pages of imports'
        {...{ offset, limit, has_more }}
        count={items.length}
        address={from => from > 0 ? `${path}?offset=${from}` : path}
      />
    </section>
  )
}

interface ImportProps { imported: LibraryImport, rejections: Rejected | undefined, path: string }

function Import ({ imported, rejections, path }: ImportProps) {
  const { to } = useView()
  const { id, file_name, learned, created_at, undone_at, undo_pending } = imported
  return (
    <li id={`import-${id}`} class='panel stack'>
      <p><b dir='auto'>{file_name}</b> <span class='quiet-text'><Time at={created_at} precise />{learned && ', with upvotes'}</span></p>
      <Outcome {...imported} />
      {rejections !== undefined && rejections.rejected_count > 0 && (
        <Rejections id={id} {...rejections} address={to(`${path}/${id}/rejected`)} />
      )}
      {undone_at !== null
        ? (
          <p class='quiet-text'>
            {undo_pending ? 'Undoing… Papers are being removed.' : <>Undone <Time at={undone_at} precise />.</>}
          </p>
          )
        : (
          <Undo id={id} file_name={file_name} stops={isUnfinished(imported)} />
          )}
    </li>
  )
}

/** Result or progress of an import. */
function Outcome ({ file_name, state, progress, error, result, feeds: added, undone_at }: LibraryImport) {
  const { to, url } = useView()
  if (result !== null) {
    const what = added === null ? formatRecords(result.read) : feeds(result.read)
    return (
      <p role='status' data-about={file_name}>
        {what} read: {formatCount(result.created)} added, {formatCount(result.updated)} updated,{' '}
        {formatCount(result.unchanged)} unchanged, {formatCount(result.rejected_count)} rejected.
      </p>
    )
  }
  if (undone_at !== null) return null
  if (state === 'failed') return <p role='status' data-about={file_name}>Failed. {error}</p>
  if (state === 'interrupted') return <p>Failed or interrupted. The reason is no longer kept. Import it again.</p>
  return (
    <div>
      {/* Its numbers are not announced: they change with every look. */}
      <p>
        <span role='status' data-about={file_name}>{state === 'waiting' ? 'Waiting to start.' : 'Importing'}</span>
        {state !== 'waiting' && `: ${formatRecords(progress?.read ?? 0)} read.`}
      </p>
      <progress
        class='import-progress'
        aria-label='Part of the file that was read'
        max={progress?.total_bytes ?? 1}
        value={progress?.bytes ?? 0}
      />
      {error !== null && <p class='quiet-text'>Last attempt failed: {error}</p>}
      <UpdatesItself address={to(url)}> You may leave it.</UpdatesItself>
    </div>
  )
}

interface RejectionsProps extends Rejected {
  id: string
  /** The address of the page of all. */
  address: string
}

/** The first rejections. Has ids, so that it stays open and keeps the focus when the imports refresh themselves. */
const Rejections = ({ id, rejected, rejected_count, address }: RejectionsProps) => (
  <details id={`rejected-${id}`}>
    <summary id={`rejected-by-${id}`}>Rejected records</summary>
    <RejectionList rejected={rejected} />
    {rejected_count > rejected.length && <p><a href={address}>All rejected records</a></p>}
  </details>
)

const Undo = ({ id, file_name, stops }: { id: string, file_name: string, stops: boolean }) => (
  <Confirm label={stops ? 'Stop and undo' : 'Undo'} about={`the import of ${file_name}`} small>
    <p class='quiet-text'>
      Removes the papers, journal feeds and votes added by this import. Papers stay if you rated, saved, tagged or annotated them, or if
      a source or another import found them too.
    </p>
    <Form action='undo' inRow>
      <input type='hidden' name='import_id' value={id} />
      <button class='danger small'>
        {stops ? 'Stop and undo the import' : 'Undo the import'} <span class='unseen'>of {file_name}</span>
      </button>
    </Form>
  </Confirm>
)
