import type { Static } from 'typebox'
import type { Caller } from '../../../db/caller.js'
import { findPaper } from '../../../db/queries/papers.js'
import type { MarkdownPart, PaperMarkdownInput } from '../../../schemas/markdown.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { describeNotices } from '../../papers/notices.js'
import { quotationMarks } from '../../papers/quotation-marks.js'
import { paperOf } from '../../papers/records.js'
import { anchorAt, passagesIn } from './anchors.js'
import { readPart } from './read-part.js'

type Request = Omit<Static<typeof PaperMarkdownInput>, 'paper_id'>

/** A stored text. */
interface StoredText { paper_id: string, account_id: string | null, markdown: string, created_at: Date }

/**
 * A part of a paper's text, with the offset of the next part and citation data. Members are ordered so that all quoted text is between
 * the delimiters.
 * @throws InvalidArguments for a section or offset that the text does not have
 */
export async function partOf (
  { db, account, baseUrl }: Caller & { baseUrl: () => string },
  { paper_id: paperId, account_id, markdown, created_at }: StoredText,
  request: Request
): Promise<Static<typeof MarkdownPart>> {
  const version = `${paperId} ${account_id ?? ''} ${created_at.getTime()}`
  const part = await readPart(markdown, { ...request, maxChars: request.max_chars }, version)
  const { text, label, offset, totalChars, nextOffset, outline } = part
  const { reference_label, index_url, metadata } = paperOf(requireRecord(await findPaper(db, account.id, paperId)))
  const { begin, end } = quotationMarks()
  return {
    status: 'ready',
    paper_id: paperId,
    mime_type: 'text/markdown',
    markdown_ready: true,
    reference_label,
    index_url,
    notices: describeNotices(metadata) ?? null,
    url: `${baseUrl()}/papers/${paperId}#${anchorAt(markdown, offset)}`,
    offset,
    total_chars: totalChars,
    next_offset: nextOffset,
    begin_mark: begin,
    part: label,
    outline,
    passages: await passagesIn(markdown, offset, offset + text.length),
    markdown: text,
    end_mark: end
  }
}
