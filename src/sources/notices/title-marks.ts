import type { NoticeKind } from '../../../schemas/notice.js'
import { removedBefore, retractedBefore, retractedBehind } from '../../papers/retraction-marks.js'

/** "Withdrawn", "WITHDRAWN: Title", "Title (withdrawn)", but not "Withdrawn-depressed symptoms". */
export const withdrawnTitle = new RegExp(
  '^\\W*(?:(?:article|paper) withdrawn\\s*:|withdrawn(?:\\W*$|\\s*[:.\\])—]|\\s+[–-]\\s| (?:article|paper)\\s*:))|' +
    '[([]withdrawn[)\\]]\\W*$', 'i'
)
/** Marks in capitals; in small letters, they may begin a title. */
export const capitalMark = /^\W*(?:RETRACTED|WITHDRAWAL|REMOVED)\s*:/

/** The title of a notice on an article, also after a mark: "WITHDRAWN: Retraction notice to …". */
const noticeTitle = /^\W*(?:\w+\s*:\s*)?(?:notice of )?(?:partial )?(?:retraction|withdrawal)\s*(?::|(?:of|to|note|notice|statement)\b)/i

/** Whether a title is that of a notice, and not of an article. */
export const isNoticeTitle = (title: string): boolean => noticeTitle.test(title)

/** What the title of a journal's article says about it, such as "WITHDRAWN: Title"; undefined for the notice of a retraction. */
export function markInTitle (title: string): Extract<NoticeKind, 'retraction' | 'withdrawal'> | undefined {
  if (noticeTitle.test(title)) return undefined
  if ([...retractedBefore, retractedBehind].some(mark => mark.test(title))) return 'retraction'
  return withdrawnTitle.test(title) || removedBefore.test(title) ? 'withdrawal' : undefined
}
