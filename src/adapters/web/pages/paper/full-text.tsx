import type { Static } from 'typebox'
import { type Job, isUnfinished } from '../../../../../schemas/job.js'
import { keywordsOf } from '../../../../../schemas/keywords.js'
import type { MarkdownResult } from '../../../../../schemas/markdown.js'
import type { PaperResult } from '../../../../../schemas/paper.js'
import type { PaperPageResult } from '../../../../../schemas/paper-page.js'
import { origins } from '../../../../fulltext/origins/index.js'
import { paperUpload } from '../../../../operations/papers/paper-upload.js'
import { maxRenderedCharacters, type Rendering } from '../../markdown/renderer.js'
import { Busy } from '../../components/busy.js'
import { Confirm } from '../../components/confirm.js'
import { FileField, Form } from '../../components/form.js'
import { Notice } from '../../components/notice.js'
import { refreshUntilGone, refreshWhile, UpdatesItself } from '../../components/refreshing.js'
import { Time } from '../../components/time.js'
import { useView } from '../../view.js'
import { Markdown } from './markdown.js'

/** A text that cannot be read or converted now. */
export interface WithheldText {
  status: 'withheld'
  /** Whether it can be later, without doing anything. */
  waits: boolean
  /** A sentence for readers. */
  reason: string
  markdown?: never
  job_id?: never
}

/** A paper with its text as far as it is rendered. */
export interface FullTextProps extends Static<typeof PaperPageResult> {
  paper: Static<typeof PaperResult>
  text: Static<typeof MarkdownResult> | WithheldText
  /** The full text as HTML, if there is one. */
  rendered: Rendering | undefined
}

/** Names the document that a text was converted from. */
const documentOf = (origin: string): string =>
  origin === 'upload' ? 'your PDF' : (origins.find(({ name }) => name === origin)?.document ?? origin)

/** The full text, or its progress and what to do. Refreshes itself during a conversion. */
export function FullText (props: FullTextProps) {
  const { to, url } = useView()
  const { text, job, upload } = props
  const isUploadRunning = upload !== null && isUnfinished(upload)
  const isWithheld = text.status === 'withheld'
  const isRunning = text.status === 'queued' || (isWithheld && text.waits) || isUploadRunning
  // A text that is being read stays as it is.
  const refreshes = isRunning && text.status !== 'ready'
  const ready = text.status === 'ready' ? { 'data-ready': '' } : {}
  return (
    <section id='text' class='full-text' aria-label='Full text' {...ready} {...refreshWhile(refreshes, '#text', to(url), 3)}>
      {text.status === 'queued' && <Progress job={job} address={to(url)} />}
      {isWithheld && !isUploadRunning && <Withheld text={text} address={to(url)} />}
      {text.status === 'unavailable' && !isUploadRunning && <Unavailable {...props} />}
      {text.status !== 'queued' && isUploadRunning && (
        <div id='upload-progress' {...(refreshes ? {} : refreshUntilGone('#upload-progress', '#text', to(url), 3))}>
          <Progress job={upload} address={to(url)} isUpload />
        </div>
      )}
      {upload?.state === 'failed' && text.status !== 'queued' && (
        <Notice kind='warn'>Your PDF could not be converted. {upload.error}</Notice>
      )}
      {text.status === 'ready' && <Ready {...props} />}
      {text.status === 'ready' && !isRunning && props.conversion?.origin === 'upload' && <RemoveUpload />}
      {!isUploadRunning && <Upload isOpen={text.status !== 'ready' && !refreshes} replaces={text.status === 'ready'} />}
    </section>
  )
}

/** Characters of a source that a page shows: as HTML, each can have six, and escaping them takes time of the event loop. */
const maxSourceCharacters = 200_000

const uploadLimit = keywordsOf(paperUpload.input.properties.pdf).maxBytes!

function Progress ({ job, address, isUpload = false }: { job: Job | null, address: string, isUpload?: boolean }) {
  const attempt = job !== null && job.attempts > 1 ? `, attempt ${job.attempts}` : ''
  return (
    <div class='panel progress'>
      <h2>{isUpload ? 'Your PDF' : 'Full text'}</h2>
      <p role='status'>
        {job?.state === 'running'
          ? `Converting${attempt}.`
          : job !== null && job.attempts > 0
            ? `Waiting to retry${attempt}.`
            : 'Waiting to start.'}
      </p>
      <ol class='steps'>
        <li class='done'>
          <span>
            Requested
            {job !== null && (
              <>
                {' '}
                <Time at={job.created_at} precise />
              </>
            )}
          </span>
        </li>
        <li class={job?.state === 'running' ? 'now' : ''} aria-current={job?.state === 'running' ? 'step' : undefined}>
          Fetched and converted
        </li>
        <li>Ready to read</li>
      </ol>
      {job?.error != null && <p class='quiet-text'>Last attempt failed: {job.error}</p>}
      <UpdatesItself address={address} />
    </div>
  )
}

const Withheld = ({ text: { waits, reason }, address }: { text: WithheldText, address: string }) => (
  <div class='panel'>
    <h2>Full text</h2>
    <p role='status'>{reason}</p>
    {waits && <UpdatesItself address={address} />}
  </div>
)

const Unavailable = ({ paper, reason }: FullTextProps) => (
  <div class='panel'>
    <h2>No full text</h2>
    {reason !== null
      ? (
        <p role='status'>{reason} Litfeed retries after a day, or when the record changes.</p>
        )
      : (
        <p role='status'>
          No open full text found.
          {paper.doi === null && paper.external_ids.arxiv === null && paper.external_ids.pmcid === null &&
            ' The record has no DOI, arXiv id, PubMed Central id or open PDF address.'}
        </p>
        )}
  </div>
)

/** While it is open, the text around it is not refreshed, so that a chosen file stays. */
function Upload ({ isOpen, replaces }: { isOpen: boolean, replaces: boolean }) {
  const { refused } = useView()
  return (
    <details class='upload' open={isOpen || refused?.action === 'upload'}>
      <summary>{replaces ? 'Replace with your own PDF' : 'Upload a PDF'}</summary>
      <Form action='upload' upload class='stack'>
        <FileField
          name='pdf'
          label='PDF file'
          accept='application/pdf,.pdf'
          hint='Only you see the converted text.'
          maxBytes={uploadLimit}
        />
        <div class='buttons'>
          <button class='secondary'>Upload</button>
          <Busy id='uploading'>Uploading…</Busy>
        </div>
      </Form>
    </details>
  )
}

const RemoveUpload = () => (
  <Confirm label='Remove your PDF’s text' small>
    <p class='quiet-text'>This can’t be undone, but you can upload the PDF again. An open full text takes its place, if there is one.</p>
    <Form action='delete_upload' inRow>
      <button class='danger small'>Remove</button>
    </Form>
  </Confirm>
)

function Ready ({ text, conversion, rendered }: FullTextProps) {
  const { markdown = '' } = text
  const isSource = typeof rendered === 'string' || rendered === undefined
  return (
    <>
      {conversion !== null && (
        <div class='quiet-text made'>
          <span role='status'>
            Full text converted from {documentOf(conversion.origin)} on <Time at={conversion.at} />
          </span>
          {conversion.warnings.length > 0 && (
            <details>
              <summary>
                {conversion.warnings.length === 1 ? '1 conversion warning' : `${conversion.warnings.length} conversion warnings`}
              </summary>
              <ul>
                {conversion.warnings.map(each => (
                  <li key={each}>{each}</li>
                ))}
              </ul>
            </details>
          )}
        </div>
      )}
      {markdown.length > (isSource ? maxSourceCharacters : maxRenderedCharacters) && (
        <Notice kind='warn'>This text is very long, so only the beginning is shown. Download the Markdown file for all of it.</Notice>
      )}
      {isSource
        ? (
          <>
            <Notice kind='warn'>
              {rendered === 'busy'
                ? 'Too many texts are being formatted, so the source is shown. Reload the page in a minute.'
                : 'This text takes too long to format, so its source is shown.'}
            </Notice>
            <pre class='source' tabIndex={0} role='region' aria-label='Text'>
              {markdown.slice(0, maxSourceCharacters)}
            </pre>
          </>
          )
        : (
          <Markdown {...rendered} />
          )}
    </>
  )
}
