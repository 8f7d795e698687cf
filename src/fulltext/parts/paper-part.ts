import type { Static } from 'typebox'
import type { KeyedCaller } from '../../../db/caller.js'
import { findPaper } from '../../../db/queries/papers.js'
import type { MarkdownPart, PaperMarkdownInput } from '../../../schemas/markdown.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { describeNotices } from '../../papers/notices.js'
import { quotationMarks } from '../../papers/quotation-marks.js'
import { paperOf } from '../../papers/records.js'
import { openText, type StoredText, type TextReader } from '../read-text.js'
import { readPart } from './read-part.js'

type Request = Omit<Static<typeof PaperMarkdownInput>, 'paper_id'>

/**
 * A part of a paper's text, with the offset of the next part and citation data. Members are ordered so that all quoted text is between
 * the delimiters.
 * @throws InvalidArguments for a section or offset that the text does not have, Unavailable if the text is replaced meanwhile
 */
export async function readPaperPart (
  reader: TextReader & KeyedCaller & { baseUrl: () => string },
  stored: StoredText,
  request: Request
): Promise<Static<typeof MarkdownPart>> {
  const { db, account, key, baseUrl } = reader
  const paperId = stored.paper_id
  const { text, label, offset, totalChars, nextOffset, outline, anchor, passages } =
    await readPart(await openText(reader, stored), { ...request, maxChars: request.max_chars })
  const { reference_label, index_url, metadata } = paperOf(requireRecord(await findPaper(db, account.id, paperId, key?.projectIds)))
  const { begin, end } = quotationMarks()
  return {
    status: 'ready',
    paper_id: paperId,
    mime_type: 'text/markdown',
    markdown_ready: true,
    reference_label,
    index_url,
    notices: describeNotices(metadata) ?? null,
    url: `${baseUrl()}/papers/${paperId}#${anchor}`,
    offset,
    total_chars: totalChars,
    next_offset: nextOffset,
    begin_mark: begin,
    part: label,
    outline: [...outline],
    passages,
    markdown: text,
    end_mark: end
  }
}
