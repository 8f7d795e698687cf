import { dayMs } from '../../../../../schemas/durations.js'
import { isUnfinished } from '../../../../../schemas/job.js'
import type { LibraryImport } from '../../../../../schemas/library-import.js'
import { formatCount, formatRecords } from '../../components/figures.js'
import { refreshWhile, ReloadHint } from '../../components/refreshing.js'
import { useView } from '../../view.js'

/** Imports with rejected records that are named. */
const maxNamed = 3

/**
 * An import that runs, or else those of the last day that rejected papers, unless a script has dismissed them. Its place stays, so that the
 * last poll finds it empty.
 */
export function ImportState ({ projectId, imports, now }: { projectId: string, imports: readonly LibraryImport[], now: Date }) {
  const { to, url } = useView()
  const kept = imports.filter(({ undone_at }) => undone_at === null)
  const path = `/projects/${projectId}/import`
  const running = kept.find(isUnfinished)
  if (running !== undefined) {
    return (
      <div id='import-state' class='notice' {...refreshWhile(true, '#import-state', to(url), 3)}>
        <p>
          <span role='status'>Importing <span dir='auto'>{running.file_name}</span></span>:{' '}
          {formatRecords(running.progress?.read ?? 0)} read.{' '}
          <a id='import-details' href={to(path)}>Details</a>.
          <ReloadHint address={to(url)} />
        </p>
      </div>
    )
  }
  const rejecting = kept.filter(({ state, result, created_at }) =>
    now.getTime() - Date.parse(created_at) < dayMs && (state === 'failed' || (result?.rejected_count ?? 0) > 0))
  if (rejecting.length === 0) return <div id='import-state' hidden />
  const unnamed = rejecting.length - maxNamed
  return (
    <div id='import-state' class='notice warn'>
      <div>
        {rejecting.slice(0, maxNamed).map(({ id, state, file_name, result }) => (
          <p key={id} data-import={id} role='status'>
            <span dir='auto'>{file_name}</span>:{' '}
            {state === 'failed'
              ? <a href={to(`${path}#import-${id}`)}>import failed</a>
              : (
                <a href={to(`${path}/${id}/rejected`)}>
                  {formatCount(result?.rejected_count ?? 0)} of {formatRecords(result?.read ?? 0)} not added
                </a>
                )}.
          </p>
        ))}
        {unnamed > 0 && <p><a href={to(path)}>{formatCount(unnamed)} more imports</a> failed or rejected records.</p>}
      </div>
    </div>
  )
}
