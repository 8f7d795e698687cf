import type { Static } from 'typebox'
import type { Job } from '../../../../../schemas/job.js'
import type { MarkdownResult } from '../../../../../schemas/markdown.js'
import type { PaperResult } from '../../../../../schemas/paper.js'
import type { PaperPageResult } from '../../../../../schemas/paper-page.js'
import { origins } from '../../../../fulltext/origins/index.js'
import { paperUpload } from '../../../../operations/papers/paper-upload.js'
import { mostShown, type Outcome } from '../../markdown/rendered.js'
import { Form } from '../../components/form.js'
import { Notice } from '../../components/notice.js'
import { Time } from '../../components/time.js'
import { useView } from '../../view.js'
import { Markdown } from './markdown.js'

export interface FullTextProps extends Static<typeof PaperPageResult> {
  paper: Static<typeof PaperResult>
  text: Static<typeof MarkdownResult>
  /** The text as HTML; undefined where there is none. */
  rendered: Outcome | undefined
}

/** What a text was converted from, by the origin that is stored with it. */
const documentOf = (origin: string): string => origin === 'upload' ? 'your PDF' : origins.find(({ name }) => name === origin)?.document ?? origin

/** The text where it is ready; else where it stands, and what a person can do. It looks again by itself while something is under way. */
export function FullText (props: FullTextProps) {
  const { to } = useView()
  const { paper, text, job, upload } = props
  const isUploadUnderWay = upload !== null && isUnderWay(upload)
  const isMoving = text.status === 'queued' || isUploadUnderWay
  const again = isMoving ? { 'hx-get': to(`/papers/${paper.id}`), 'hx-trigger': 'every 3s', 'hx-select': '#text', 'hx-target': '#text', 'hx-swap': 'outerHTML' } : {}
  return (
    <section id='text' class='full-text' aria-label='Full text' {...again}>
      {text.status === 'queued' && <Progress job={job} address={to(`/papers/${paper.id}`)} />}
      {text.status === 'unavailable' && !isUploadUnderWay && <Unavailable {...props} />}
      {text.status !== 'queued' && isUploadUnderWay && <Progress job={upload} address={to(`/papers/${paper.id}`)} ofUpload />}
      {upload?.state === 'failed' && text.status !== 'queued' && <Notice kind='warn'>Your PDF could not be converted. {upload.error}</Notice>}
      {text.status === 'ready' && <Ready {...props} />}
      {!isMoving && <Upload isOpen={text.status === 'unavailable'} />}
    </section>
  )
}

const uploadLimit = (paperUpload.input.properties.pdf as { maxBytes?: number }).maxBytes!

const isUnderWay = ({ state }: Job) => state === 'waiting' || state === 'running'

function Progress ({ job, address, ofUpload = false }: { job: Job | null, address: string, ofUpload?: boolean }) {
  const tries = job !== null && job.attempts > 1 ? `, attempt ${job.attempts}` : ''
  return (
    <div class='panel progress'>
      <h2>{ofUpload ? 'Your PDF' : 'Full text'}</h2>
      <p role='status'>{job?.state === 'running' ? `Converting${tries}.` : job !== null && job.attempts > 0 ? `Waiting to retry${tries}.` : 'Waiting to start.'}</p>
      <ol class='steps'>
        <li class='done'>Requested{job !== null && <> <Time at={job.created_at} precise /></>}</li>
        <li class={job?.state === 'running' ? 'now' : ''} aria-current={job?.state === 'running' ? 'step' : undefined}>Fetched and converted</li>
        <li>Ready to read</li>
      </ol>
      {job?.error != null && <p class='quiet-text'>Last attempt failed: {job.error}</p>}
      <p class='quiet-text'>This page updates by itself; without scripts, <a href={address}>reload it</a>.</p>
    </div>
  )
}

const Unavailable = ({ paper, reason }: FullTextProps) => (
  <div class='panel'>
    <h2>No full text</h2>
    {reason !== null
      ? <p>{reason} Litfeed retries after a day, or when the record changes.</p>
      : <p>No open full text found: the record has {paper.doi === null && paper.external_ids.arxiv === null && paper.external_ids.pmcid === null ? 'no DOI, arXiv id, PubMed Central id or open PDF address' : 'no open PDF address, and its identifiers lead to none'}.</p>}
  </div>
)

function Upload ({ isOpen }: { isOpen: boolean }) {
  const { refused } = useView()
  return (
    <details class='upload' open={isOpen || refused?.action === 'upload'}>
      <summary>{isOpen ? 'Upload a PDF' : 'Replace with your own PDF'}</summary>
      <Form action='upload' upload class='stack'>
        <p class='hint' id='pdf-hint'>Only you see the converted text. Maximum size: {uploadLimit / 1024 / 1024} MB.</p>
        <div class='field'><label for='pdf'>PDF file</label><input id='pdf' type='file' name='pdf' accept='application/pdf,.pdf' required aria-describedby='pdf-hint' /></div>
        <button class='secondary'>Upload</button>
      </Form>
    </details>
  )
}

function Ready ({ text, conversion, rendered }: FullTextProps) {
  const { markdown = '' } = text
  return (
    <>
      {conversion !== null && (
        <div class='quiet-text made'>
          <span>Full text converted from {documentOf(conversion.origin)} on <Time at={conversion.at} /></span>
          {conversion.warnings.length > 0 && <details><summary>{conversion.warnings.length === 1 ? '1 conversion warning' : `${conversion.warnings.length} conversion warnings`}</summary><ul>{conversion.warnings.map(each => <li key={each}>{each}</li>)}</ul></details>}
        </div>
      )}
      {markdown.length > mostShown && <Notice kind='warn'>This text is very long, so only the beginning is shown. Download the Markdown file for all of it.</Notice>}
      {rendered === 'too long' || rendered === undefined
        ? <><Notice kind='warn'>This text takes too long to format, so its source is shown.</Notice><pre class='source' tabIndex={0} role='region' aria-label='Text'>{markdown.slice(0, mostShown)}</pre></>
        : <Markdown {...rendered} />}
    </>
  )
}
