/* Marks that publishers and databases add to the titles of retracted and removed articles. */

/** Before a title: "RETRACTED ARTICLE: Title", "(Retracted) Title". In small letters, "Retracted: Title" can be the title of the notice. */
export const retractedBefore = [
  /^\W*RETRACTED(?:\s*[:—–\])>]|\s+[–-]\s)\s*/, /^\W*retracted (?:article|paper|chapter)\s*[:\])>]\s*/i, /^\W*article retracted\s*:\s*/i,
  /^\W*\(retracted\)\s*/i
]
/**
 * Behind a title: "Title (Retracted)", and "Title (Retracted article. See vol. 12, pg. 345, 2014)" in Web of Science. Begins where a run
 * of spaces does: trying each space of a run would take time that grows with the square of its length.
 */
export const retractedBehind = /(?<!\s)\s*[([]retracted(?: (?:article|paper|chapter))?(?:\s*[.:,;]\s*see\b[^()[\]]{0,100})?[)\]]\W*$/i
/** Not "Withdrawal: Title", which is a notice in a journal, nor "Removed: title", whose word may belong to it. */
export const removedBefore = /^\W*(?:(?:TEMPORARY )?REMOVAL|(?:TEMPORARILY )?REMOVED)\s*:\s*/

const marks = [...retractedBefore, removedBefore, retractedBehind]

/** A title without these marks. */
export const withoutMarks = (title: string): string => marks.reduce((text, mark) => text.replace(mark, ''), title)
