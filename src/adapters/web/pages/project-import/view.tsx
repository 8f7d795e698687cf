import { type LibraryImport, maxLibraryBytes } from '../../../../../schemas/library-import.js'
import { Busy } from '../../components/busy.js'
import { Confirm } from '../../components/confirm.js'
import { Checkbox, FileField, Form, RefusalNotice } from '../../components/form.js'
import { Time } from '../../components/time.js'
import { useView } from '../../view.js'

/** Counts papers in words. */
export const papers = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'paper' : 'papers'}`

const accepted = '.ris,.bib,.bibtex,.nbib,.txt,.json,.jsonl,.xml,.atom,.enw'

/** The form that imports a file, and the imports before, with what was rejected and why. */
export function ProjectImport ({ imports }: { imports: readonly LibraryImport[] }) {
  const { url } = useView()
  return (
    <>
      <h1>Import</h1>
      <p class='lead page-lead'>
        Add the papers that you already have: an export of Zotero, Mendeley, EndNote, PubMed or another reference manager.
      </p>
      <Form
        action='import'
        upload
        class='stack form-column'
        hx-post={url}
        hx-encoding='multipart/form-data'
        hx-target='#content'
        hx-select='#content'
        hx-swap='outerHTML show:top'
        hx-disabled-elt='find button'
        hx-indicator='#importing'
      >
        <FileField
          name='file'
          label='File'
          accept={accepted}
          hint={`Drop a file here or choose one: RIS, BibTeX, nbib, CSL-JSON, PubMed XML, arXiv Atom or JSON lines. Maximum size: ${maxLibraryBytes / 1024 / 1024} MB.`}
        />
        <Checkbox
          name='learn'
          label='These are mine, learn from them'
          hint={'Upvotes each paper that the import adds, so the feed starts with what you like. Papers that the feed has already keep ' +
            'their votes.'}
        />
        <div class='buttons'>
          <button>Import</button>
          <Busy id='importing'>Importing …</Busy>
        </div>
      </Form>
      <section aria-labelledby='imports'>
        <h2 id='imports'>Imports</h2>
        <RefusalNotice actions={['undo']} />
        {imports.length === 0
          ? (
            <p class='quiet-text'>No imports yet. Each will show what it added and which records were rejected.</p>
            )
          : (
            <ul class='plain stack'>
              {imports.map(each => (
                <Import key={each.id} {...each} />
              ))}
            </ul>
            )}
      </section>
    </>
  )
}

const Import = ({ id, file_name, learned, created_at, result, undone_at }: LibraryImport) => (
  <li class='panel stack'>
    <p><b dir='auto'>{file_name}</b> <span class='quiet-text'><Time at={created_at} precise />{learned && ', upvoted'}</span></p>
    {result === null
      ? (
        <p>Running, or interrupted.</p>
        )
      : (
        <p>
          {result.read.toLocaleString('en')} {result.read === 1 ? 'record' : 'records'} read:{' '}
          {result.created.toLocaleString('en')} added,{' '}
          {result.updated.toLocaleString('en')} updated, {result.unchanged.toLocaleString('en')} unchanged,{' '}
          {result.rejected_count.toLocaleString('en')} rejected.
        </p>
        )}
    {result !== null && result.rejected_count > 0 && (
      <details>
        <summary>Rejected records</summary>
        <ul>{result.rejected.map(({ record, reason }, at) => <li key={at}>Record {record}: <span dir='auto'>{reason}</span></li>)}</ul>
        {result.rejected_count > result.rejected.length && <p class='quiet-text'>The first {result.rejected.length} are listed.</p>}
      </details>
    )}
    {undone_at !== null
      ? <p class='quiet-text'>Undone <Time at={undone_at} precise />.</p>
      : (
        <Confirm label='Undo' small>
          <p class='quiet-text'>Removes the papers that this import added, with their votes. Papers that the feed had before stay.</p>
          <Form action='undo' inRow>
            <input type='hidden' name='import_id' value={id} />
            <button class='danger small'>Undo the import <span class='unseen'>of {file_name}</span></button>
          </Form>
        </Confirm>
        )}
  </li>
)
