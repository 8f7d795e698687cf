import type { Notice, NoticeKind } from '../../../../schemas/notice.js'
import { type PaperChange, noticesIn, paperChanges } from '../../../papers/notices.js'
import { noticeOriginTitle } from '../../../papers/source-traits.js'
import { ExternalLink } from './external-link.js'
import { publishedOn } from '../../../papers/published-on.js'

/** The ground of a badge; the words alone tell the kind. */
const tones: Readonly<Record<NoticeKind, 'bad' | 'warn' | 'accented'>> = {
  retraction: 'bad',
  withdrawal: 'bad',
  partial_retraction: 'bad',
  expression_of_concern: 'warn',
  reinstatement: 'accented',
  correction: 'warn',
  published: 'accented',
  new_version: 'accented'
}

/** Changes of a paper's standing, as badges; a notice that was withdrawn is no warning. */
export const ChangeBadges = ({ changes }: { changes: ReadonlyArray<PaperChange & Partial<Pick<Notice, 'withdrawn'>>> }) => (
  <>{changes.map(({ kind, label, withdrawn = null }) =>
    <span key={label} class={`badge ${withdrawn === null ? tones[kind] : 'accented'}`}>{label}</span>)}
  </>
)

/** The notices on a paper, each with its date, sources and address. */
export function Changes ({ metadata }: { metadata: object }) {
  const notices = noticesIn(metadata)
  const changes = paperChanges(metadata)
  if (changes.length === 0) return null
  const isByRecordAlone = changes.length > 0 && !notices.some(({ label }) => label === changes[0]!.label)
  const kind = tones[changes[0]!.kind]
  return (
    <ul class={`plain notice ${kind === 'accented' ? '' : kind} changes`} aria-label='Notices on this paper'>
      {isByRecordAlone && <li><strong>{changes[0]!.label}</strong>, according to the source of its record</li>}
      {notices.map((notice, at) => <Change key={at} {...notice} />)}
    </ul>
  )
}

function Change ({ label, date, sources, confirmed, url }: Notice) {
  return (
    <li>
      <strong>{label}</strong>
      {date !== null && ` on ${publishedOn(date)}`}
      {confirmed ? ` (${sources.map(noticeOriginTitle).join(', ')})` : ', not confirmed by another source'}
      {url !== null && <>. <ExternalLink href={url}>Read the notice</ExternalLink></>}
    </li>
  )
}
