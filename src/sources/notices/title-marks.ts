import type { NoticeKind } from '../../../schemas/notice.js'

/** "Withdrawn", "WITHDRAWN: Title", "Title (withdrawn)", but not "Withdrawn-depressed symptoms". */
export const withdrawnTitle = /^\W*withdrawn(?:\W*$|\s*[:.\])]|\s+[–—-]\s)|[([]withdrawn[)\]]\W*$/i
/** Marks in capitals; in small letters, they may begin a title. */
export const capitalMark = /^\W*(?:RETRACTED|WITHDRAWAL|REMOVED)\s*:/

/**
 * Titles of retracted articles. Some publishers title the notice itself "Retracted: Title" or "[Retracted] Title": only capitals with a
 * colon, or the word article, name the article.
 */
const retractedArticle = [/^\W*RETRACTED\s*:/, /^\W*retracted (?:article|paper|chapter)\s*:/i]
/** Not "Withdrawal: Title", which is a notice in a journal. */
const removedArticle = /^\W*(?:(?:TEMPORARY )?REMOVAL|(?:TEMPORARILY )?REMOVED)\s*:/
/** The title of a notice on an article, also after a mark: "WITHDRAWN: Retraction notice to …". */
const noticeTitle = /^\W*(?:\w+\s*:\s*)?(?:notice of )?(?:partial )?(?:retraction|withdrawal)\s*(?::|(?:of|to|note|notice|statement)\b)/i

/** What the title of a journal's article says about it, such as "WITHDRAWN: Title"; undefined for the notice of a retraction. */
export function markInTitle (title: string): Extract<NoticeKind, 'retraction' | 'withdrawal'> | undefined {
  if (noticeTitle.test(title)) return undefined
  if (retractedArticle.some(form => form.test(title))) return 'retraction'
  return withdrawnTitle.test(title) || removedArticle.test(title) ? 'withdrawal' : undefined
}
