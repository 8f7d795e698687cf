import type { Migration } from 'kysely'
import * as first from './2026-11-20-first.js'
import * as sources from './2026-11-21-sources.js'
import * as search from './2026-11-22-search.js'
import * as administration from './2026-11-23-administration.js'
import * as feedFilters from './2026-11-24-feed-filters.js'
import * as tally from './2026-11-24-tally.js'
import * as feedPapers from './2026-11-25-feed-papers.js'
import * as queue from './2026-11-26-queue.js'
import * as papers from './2026-11-27-papers.js'
import * as visibleText from './2026-11-28-visible-text.js'
import * as keys from './2026-11-29-keys.js'
import * as briefs from './2026-11-30-briefs.js'
import * as acting from './2026-12-01-acting.js'
import * as uploads from './2026-12-02-uploads.js'
import * as clock from './2026-12-03-clock.js'
import * as sourceFault from './2026-12-03-source-fault.js'
import * as calibration from './2026-12-04-calibration.js'
import * as feedDays from './2026-12-04-feed-days.js'
import * as libraryImport from './2026-12-05-library-import.js'
import * as bounds from './2026-12-06-bounds.js'
import * as itemState from './2026-12-06-item-state.js'
import * as importJobs from './2026-12-07-import-jobs.js'
import * as passwordReset from './2026-12-08-password-reset.js'
import * as zotero from './2026-12-08-zotero.js'
import * as weeklyLimit from './2026-12-09-weekly-limit.js'
import * as timeZones from './2026-12-10-time-zones.js'
import * as changes from './2026-12-11-changes.js'
import * as notices from './2026-12-11-notices.js'
import * as shareLinks from './2026-12-11-share-links.js'
import * as tableNames from './2026-12-12-table-names.js'
import * as sampleProjects from './2026-12-14-sample-projects.js'
import * as signUpLinks from './2026-12-14-sign-up-links.js'
import * as sourceSwitches from './2026-12-14-source-switches.js'
import * as formerInterests from './2026-12-17-former-interests.js'
import * as snapshots from './2026-12-18-snapshots.js'
import * as citations from './2026-12-19-citations.js'
import * as follows from './2026-12-19-follows.js'
import * as snapshotAttempts from './2026-12-20-snapshot-attempts.js'

/** Every migration, oldest first. Released migrations never change; a new one is a file, and a row at the end. */
export const migrations: Readonly<Record<string, Migration>> = {
  '2026-11-20-first': first,
  '2026-11-21-sources': sources,
  '2026-11-22-search': search,
  '2026-11-23-administration': administration,
  '2026-11-24-feed-filters': feedFilters,
  '2026-11-24-tally': tally,
  '2026-11-25-feed-papers': feedPapers,
  '2026-11-26-queue': queue,
  '2026-11-27-papers': papers,
  '2026-11-28-visible-text': visibleText,
  '2026-11-29-keys': keys,
  '2026-11-30-briefs': briefs,
  '2026-12-01-acting': acting,
  '2026-12-02-uploads': uploads,
  '2026-12-03-clock': clock,
  '2026-12-03-source-fault': sourceFault,
  '2026-12-04-calibration': calibration,
  '2026-12-04-feed-days': feedDays,
  '2026-12-05-library-import': libraryImport,
  '2026-12-06-bounds': bounds,
  '2026-12-06-item-state': itemState,
  '2026-12-07-import-jobs': importJobs,
  '2026-12-08-password-reset': passwordReset,
  '2026-12-08-zotero': zotero,
  '2026-12-09-weekly-limit': weeklyLimit,
  '2026-12-10-time-zones': timeZones,
  '2026-12-11-changes': changes,
  '2026-12-11-notices': notices,
  '2026-12-11-share-links': shareLinks,
  '2026-12-12-table-names': tableNames,
  '2026-12-14-sample-projects': sampleProjects,
  '2026-12-14-sign-up-links': signUpLinks,
  '2026-12-14-source-switches': sourceSwitches,
  '2026-12-17-former-interests': formerInterests,
  '2026-12-18-snapshots': snapshots,
  '2026-12-19-citations': citations,
  '2026-12-19-follows': follows,
  '2026-12-20-snapshot-attempts': snapshotAttempts
}
