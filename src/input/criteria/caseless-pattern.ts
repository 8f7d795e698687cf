/** The text that was lowered last: many patterns are tried on one sentence. */
let last = { text: '', lowered: '' }

/** Lowers the letters A to Z alone, so that each character keeps its place. */
function lower (text: string): string {
  if (last.text !== text) last = { text, lowered: text.replace(/[A-Z]+/gu, letters => letters.toLowerCase()) }
  return last.lowered
}

/** Escapes, character classes, and ends of groups that nothing repeats. */
const groupEnds = /\\.|\[(?:\\.|[^\]])*\]|(?<end>\))(?![?*+{)|]|$)/gsu

/**
 * Puts an empty lookahead after groups. It matches everywhere, and keeps V8 from compiling what follows a list of words up to ten times,
 * once for each length of the words.
 */
const withLookaheads = (source: string): string => source.replace(groupEnds, (part, end?: string) => end === undefined ? part : ')(?=)')

/**
 * A pattern, written in lower case, that matches English words in any case. Patterns of long lists of words take V8 tens of milliseconds
 * to compile with the flag `i`, which tries each letter of a Unicode pattern in all its forms: for each process, and again after a
 * pattern was not used for a while. This one takes about a fifth of it. Not for `split` and `matchAll`, which build a pattern anew for
 * each text.
 */
export class CaselessPattern extends RegExp {
  /** @param flags without `i`; with `d` where groups are named, whose text is given as it was written */
  constructor (source: string | RegExp, flags: string) {
    super(withLookaheads(typeof source === 'string' ? source : source.source), flags)
  }

  override exec (text: string): RegExpExecArray | null {
    const match = super.exec(lower(text))
    if (match === null) return null
    match[0] = text.slice(match.index, match.index + match[0].length)
    const { indices, groups } = match
    for (const [at, range] of indices?.entries() ?? []) if (at > 0 && range !== undefined) match[at] = text.slice(...range)
    for (const [name, range] of Object.entries(indices?.groups ?? {})) if (range !== undefined) groups![name] = text.slice(...range)
    return match
  }
}
