import type { AccountTable, InvitationTable, PasswordResetTable, SessionTable, McpKeyTable } from './tables/accounts.js'
import type { AlertTable, AlertItemTable, DeletedAlertTable, UnsubscriptionTable } from './tables/alerts.js'
import type { ProjectPaperTable, FeedTallyTable } from './tables/feed.js'
import type { BriefItemTable, BriefPositionTable, BriefTable, FeedChangeTable } from './tables/briefs.js'
import type { ImportPartTable, LibraryImportTable } from './tables/imports.js'
import type { JobTable } from './tables/jobs.js'
import type { AccountNoticeTable, AlertNoticeTable, PaperCheckTable, PaperNoticeTable } from './tables/notices.js'
import type {
  PaperTable,
  MarkdownTable,
  PdfUploadTable,
  PdfPartTable,
  PaperAliasTable,
  PaperCitationTable,
  PaperRelationTable
} from './tables/papers.js'
import type {
  ProjectFollowTable,
  ProjectTable,
  SourceStateTable,
  SourceSlotTable,
  CandidateTable,
  DisabledSourceTable,
  FormerInterestTable,
  RelevanceModelTable
} from './tables/projects.js'
import type {
  SearchSegmentTable,
  SearchBlockTable,
  SearchDocumentTable,
  SearchPendingTable
} from './tables/search.js'
import type { ShareLinkTable } from './tables/sharing.js'
import type { FoundPaperTable, FoundTallyTable, SnapshotPartTable, SnapshotTable } from './tables/snapshots.js'
import type { ZoteroAccountTable, ZoteroItemTable, ZoteroSyncTable } from './tables/zotero.js'

/** Every table by its name. */
export interface Database {
  account: AccountTable
  session: SessionTable
  password_reset: PasswordResetTable
  invitation: InvitationTable
  mcp_key: McpKeyTable
  project: ProjectTable
  paper: PaperTable
  markdown: MarkdownTable
  pdf_upload: PdfUploadTable
  pdf_part: PdfPartTable
  paper_relation: PaperRelationTable
  paper_alias: PaperAliasTable
  paper_citation: PaperCitationTable
  paper_notice: PaperNoticeTable
  paper_check: PaperCheckTable
  account_notice: AccountNoticeTable
  project_paper: ProjectPaperTable
  library_import: LibraryImportTable
  import_part: ImportPartTable
  feed_tally: FeedTallyTable
  candidate: CandidateTable
  project_follow: ProjectFollowTable
  source_state: SourceStateTable
  disabled_source: DisabledSourceTable
  source_slot: SourceSlotTable
  relevance_model: RelevanceModelTable
  former_interest: FormerInterestTable
  brief: BriefTable
  brief_item: BriefItemTable
  brief_position: BriefPositionTable
  feed_change: FeedChangeTable
  job: JobTable
  search_segment: SearchSegmentTable
  search_block: SearchBlockTable
  search_document: SearchDocumentTable
  search_pending: SearchPendingTable
  alert: AlertTable
  alert_item: AlertItemTable
  unsubscription: UnsubscriptionTable
  deleted_alert: DeletedAlertTable
  share_link: ShareLinkTable
  found_paper: FoundPaperTable
  found_tally: FoundTallyTable
  snapshot: SnapshotTable
  snapshot_part: SnapshotPartTable
  zotero_account: ZoteroAccountTable
  zotero_sync: ZoteroSyncTable
  zotero_item: ZoteroItemTable
  alert_notice: AlertNoticeTable
}
