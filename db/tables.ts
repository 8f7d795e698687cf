import type { AccountTable, SessionTable, McpKeyTable } from './tables/accounts.js'
import type { AlertTable, AlertItemTable } from './tables/alerts.js'
import type { ProjectPaperTable, FeedTallyTable } from './tables/feed.js'
import type { JobTable } from './tables/jobs.js'
import type { PaperTable, MarkdownTable, PdfUploadTable, PaperAliasTable, PaperRelationTable } from './tables/papers.js'
import type { ProjectTable, SourceStateTable, SourceTurnTable, CandidateTable, RelevanceModelTable } from './tables/projects.js'
import type { SearchSegmentTable, SearchBlockTable, SearchDocumentTable, SearchGoneTable, SearchPendingTable } from './tables/search.js'

/** Every table by its name. */
export interface Database {
  account: AccountTable
  session: SessionTable
  mcp_key: McpKeyTable
  project: ProjectTable
  paper: PaperTable
  markdown: MarkdownTable
  pdf_upload: PdfUploadTable
  paper_relation: PaperRelationTable
  paper_alias: PaperAliasTable
  project_paper: ProjectPaperTable
  feed_tally: FeedTallyTable
  candidate: CandidateTable
  source_state: SourceStateTable
  source_turn: SourceTurnTable
  relevance_model: RelevanceModelTable
  job: JobTable
  search_segment: SearchSegmentTable
  search_block: SearchBlockTable
  search_document: SearchDocumentTable
  search_gone: SearchGoneTable
  search_pending: SearchPendingTable
  alert: AlertTable
  alert_item: AlertItemTable
}
