import { dayMs } from '../../../../../schemas/durations.js'
import { isUnfinished } from '../../../../../schemas/job.js'
import type { LibraryImport } from '../../../../../schemas/library-import.js'
import { refreshWhile } from '../../components/refreshing.js'
import { useView } from '../../view.js'

/**
 * The newest import, while it runs, and for a day if papers were rejected, unless a script has
 * dismissed it. Its place stays, so that the last poll finds it empty.
 */
export function ImportState ({ projectId, imports: [newest], now }: { projectId: string, imports: readonly LibraryImport[], now: Date }) {
  const { to, url } = useView()
  const nothing = <div id='import-state' hidden />
  if (newest === undefined || newest.undone_at !== null) return nothing
  const { id, state, file_name, progress, result, created_at } = newest
  const link = <a href={to(`/projects/${projectId}/import`)}>Details</a>
  if (isUnfinished(newest)) {
    return (
      <div id='import-state' class='notice' role='status' {...refreshWhile(true, '#import-state', to(url), 3)}>
        <p><span dir='auto'>{file_name}</span>: {progress?.read ?? 0} read. {link}.</p>
      </div>
    )
  }
  const rejected = result?.rejected_count ?? 0
  const isRecent = now.getTime() - Date.parse(created_at) < dayMs
  if (!isRecent || (rejected === 0 && state !== 'failed')) return nothing
  return (
    <div id='import-state' class='notice warn' data-import={id}>
      <p>
        <span dir='auto'>{file_name}</span>: {state === 'failed' ? 'failed' : `${rejected} of ${result!.read} records not added`}. {link} say why
        and what to do.
      </p>
    </div>
  )
}
