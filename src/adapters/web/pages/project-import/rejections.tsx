import type { Static } from 'typebox'
import { type LibraryImportRejections, type LibraryRejection, maxKeptRejections } from '../../../../../schemas/library-import.js'
import { formatCount, formatRecords } from '../../components/figures.js'
import { Pager } from '../../components/pager.js'
import { useView } from '../../view.js'

/** Rejected records with the reasons. */
export const RejectionList = ({ rejected }: { rejected: readonly LibraryRejection[] }) => (
  <ul>
    {rejected.map(({ record, reason }, at) => (
      <li key={at}>
        Record {record}: <span dir='auto'>{reason}</span>
      </li>
    ))}
  </ul>
)

interface RejectionsPageProps {
  page: Static<typeof LibraryImportRejections>
  /** The address of the first page. */
  path: string
  /** The address of the project's imports. */
  importsPath: string
}

/** A page of the rejected records of an import. */
export function RejectionsPage ({ page: { items, rejected_count, offset, limit, has_more }, path, importsPath }: RejectionsPageProps) {
  const { to } = useView()
  return (
    <>
      <h1>Rejected records</h1>
      <p class='lead page-lead'>
        {formatRecords(rejected_count)} rejected
        {rejected_count > maxKeptRejections && `; the first ${formatCount(maxKeptRejections)} are listed`}.{' '}
        <a href={to(importsPath)}>All imports</a>
      </p>
      <RejectionList rejected={items} />
      <Pager
        label='Pages of rejected records'
        {...{ offset, limit, has_more }}
        count={items.length}
        address={from => from > 0 ? `${path}?offset=${from}` : path}
      />
    </>
  )
}
