import type { NoticeKind } from '../../../schemas/notice.js'

/** "Withdrawn", "WITHDRAWN: Title", "Title (withdrawn)", but not "Withdrawn-depressed symptoms". */
export const withdrawnTitle = new RegExp(
  '^\\W*(?:(?:article|paper) withdrawn\\s*:|withdrawn(?:\\W*$|\\s*[:.\\])—]|\\s+[–-]\\s| (?:article|paper)\\s*:))|' +
    '[([]withdrawn[)\\]]\\W*$', 'i'
)
/** Marks in capitals; in small letters, they may begin a title. */
export const capitalMark = /^\W*(?:RETRACTED|WITHDRAWAL|REMOVED)\s*:/

/**
 * Titles of retracted articles. Some publishers title the notice itself "Retracted: Title" or "[Retracted] Title": only capitals, a mark at
 * the end, or the word article, name the article.
 */
const retractedArticle = [
  /^\W*RETRACTED(?:\s*[:—–\])]|\s+[–-]\s)/, /^\W*retracted (?:article|paper|chapter)\s*[:\])]/i, /^\W*article retracted\s*:/i,
  /[([]retracted(?: article)?[)\]]\W*$/i
]
/** Not "Withdrawal: Title", which is a notice in a journal. */
const removedArticle = /^\W*(?:(?:TEMPORARY )?REMOVAL|(?:TEMPORARILY )?REMOVED)\s*:/
/** The title of a notice on an article, also after a mark: "WITHDRAWN: Retraction notice to …". */
const noticeTitle = /^\W*(?:\w+\s*:\s*)?(?:notice of )?(?:partial )?(?:retraction|withdrawal)\s*(?::|(?:of|to|note|notice|statement)\b)/i

/** Whether a title is that of a notice, and not of an article. */
export const isNoticeTitle = (title: string): boolean => noticeTitle.test(title)

/** What the title of a journal's article says about it, such as "WITHDRAWN: Title"; undefined for the notice of a retraction. */
export function markInTitle (title: string): Extract<NoticeKind, 'retraction' | 'withdrawal'> | undefined {
  if (noticeTitle.test(title)) return undefined
  if (retractedArticle.some(form => form.test(title))) return 'retraction'
  return withdrawnTitle.test(title) || removedArticle.test(title) ? 'withdrawal' : undefined
}
