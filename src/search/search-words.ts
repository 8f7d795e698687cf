/* The form of texts that are searched. Stored titles and interests are compared as they are. */

/** Letters that texts use for an apostrophe, and characters that only choose how another one looks, as that of an emoji. */
const apostropheLetters = /[\u02bb-\u02bf]/g
const selectors = /[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|\u20e3/gu
/** Such characters, and the first half of those of the last range: a fast test that most texts fail. */
const mayBeReplaced = /[\u02bb-\u02bf\udb40]|[\u180b-\u180f\ufe00-\ufe0f]|\u20e3/

/** A text as it is searched: with plain apostrophes, without selectors. */
export const searchForm = (text: string): string =>
  mayBeReplaced.test(text) ? text.replace(selectors, '').replace(apostropheLetters, "'") : text
