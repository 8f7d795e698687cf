/* Removes characters that people cannot see. Models read them, so they can hide instructions in a title. */

const scripts = (...names: string[]) => `[${names.map(name => `\\p{scx=${name}}`).join('')}]`
/** A letter or mark that people see. */
const visibleOf = (script: string) => `${script}(?<=[\\p{L}\\p{M}])(?<!\\p{DI})`

/** Scripts whose letters take another form next to a joiner (ZWJ, ZWNJ). */
const joining = visibleOf(
  scripts(
    'Arab',
    'Syrc',
    'Mong',
    'Nkoo',
    'Mand',
    'Mani',
    'Phag',
    'Phlp',
    'Rohg',
    'Sogd',
    'Adlm',
    'Deva',
    'Beng',
    'Guru',
    'Gujr',
    'Orya',
    'Taml',
    'Telu',
    'Knda',
    'Mlym',
    'Sinh',
    'Khmr',
    'Mymr',
    'Tibt',
    'Bali',
    'Java',
    'Cham',
    'Lana',
    'Sund',
    'Limb',
    'Newa',
    'Gran',
    'Tirh',
    'Sidd',
    'Modi',
    'Kthi',
    'Sylo',
    'Saur'
  )
)
/** Scripts without spaces, whose words a zero-width space can separate. */
const unspaced = visibleOf(scripts('Thai', 'Laoo', 'Khmr', 'Mymr', 'Lana', 'Talu', 'Tale', 'Tavt', 'Tibt', 'Bali', 'Java'))
const mongolian = visibleOf(scripts('Mong'))

/**
 * Unicode's default-ignorable characters (tags, bidirectional controls, zero-width characters, selectors), other controls, and characters
 * of no text.
 */
const hidden = '[\\p{DI}\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\ufff9-\\ufffb\\p{Noncharacter_Code_Point}]'
/** Controls that separate lines or words. */
const separators = /[\u000b\u000c\u001c-\u001f\u0085\u2028\u2029]/g

/** Where a hidden character belongs to the writing: one of it, next to characters that it changes. */
const written = [
  // Joiners. A joiner at the end gives a letter its connected form.
  `(?<=${joining})(?:\\u200d|\\u200c(?=${joining}))`,
  // Emoji of several parts, and emoji or text as the form of a character.
  '(?<=\\p{ExtPict}(?:\\ufe0f|\\p{EMod})?)\\u200d(?=\\p{ExtPict})',
  '(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]|(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  // Variants of mathematical signs, Myanmar and Phags-pa letters, Chinese characters, and Mongolian letters.
  '(?<=[\\p{Sm}\\p{sc=Mymr}\\p{sc=Phag}])\\ufe00|(?<=\\p{sc=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  `(?<=${mongolian})[\\u180b-\\u180f]`,
  // Korean syllables without a first consonant or a vowel.
  `(?<!${hidden})\\u115f(?=[\\u1161-\\u11a7\\ud7b0-\\ud7c6])|(?<=[\\u1100-\\u115e\\ua960-\\ua97c])\\u1160`,
  `(?<=${unspaced})\\u200b(?=${unspaced})`
]
/** Marks that order punctuation in text from right to left. */
const directionalMark = `(?<!${hidden})[\\u061c\\u200e\\u200f](?!${hidden})`
const rightToLeft = new RegExp(visibleOf(scripts('Hebr', 'Arab', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Mand', 'Samr', 'Rohg')), 'u')

const directionalMarks = /[\u061c\u200e\u200f]/
/** Characters that may be hidden, and the first halves of all beyond the Basic Multilingual Plane: a fast test that most texts fail. */
const suspect = new RegExp(
  String.raw`[\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160` +
  String.raw`\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udbff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff]`
)
/** Matches each run of hidden characters; the group has those that belong to the writing, which come first. */
const pattern = (kept: readonly string[]) => new RegExp(`(?=${hidden})((?:${kept.join('|')})*)${hidden}*`, 'gu')
const [inOtherText, inRightToLeft] = [pattern(written), pattern([...written, directionalMark])]

/**
 * Removes the characters of a text that people cannot see, except where a script needs them: joiners between letters, directional marks in
 * text from right to left, selectors after a character that has variants. Separators become spaces. Idempotent.
 * @see https://www.unicode.org/reports/tr36/ and https://www.unicode.org/reports/tr31/#Layout_and_Format_Control_Characters
 */
export function visibleText (text: string): string {
  if (!suspect.test(text)) return text
  const spaced = text.replace(separators, ' ')
  return spaced.replace(directionalMarks.test(spaced) && rightToLeft.test(spaced) ? inRightToLeft : inOtherText, '$1')
}
