/*
 * What sentences in other languages than English leave out. European ones are read where no English word stands beside them: "non" and
 * "sin" are English words, too.
 */

const english = /(?<![\p{L}\p{M}])(?:the|of|and|with|for|from)(?![\p{L}\p{M}])/iu

/** Kinds of papers, animals and people after words for "without": "ohne Kinder". What people are without may describe them. */
const kinds = '(?:Kind|Tier|Mäuse|Ratten|Review|Übersicht|Fallbericht|enfant|anima|souris|rats|revue|étude|niñ|rat[oó]n|revision|estudio|' +
  'bambin|topi|ratti|revisioni|studi|criança|rato|estudo|kinderen|dieren|barn|djur|дет|животн|мыш|крыс|обзор)'
const without = `(?:ohne|sans|sin|senza|sem|zonder|utan|uten|uden|без) (?:\\p{L}{1,3}[ ’'])?(?=${kinds})`

/** Words that begin an excluded part, by language. "Not" needs a preposition or an article: "nicht medikamentös" is a word of subjects. */
const beginnings = [
  '(?:(?:aber|jedoch|und|bitte) )*(?:keine?[nmrs]?|nicht(?= (?:(?:bei|in|im|an|am|für|von|mit|zu|über|aus|um) |\\p{Lu}))|' +
    'au(?:ß|ss)er(?! (?:Haus|Acht|Kontrolle|Betrieb))|ausgenommen|ausgeschlossen|mit Ausnahme|abgesehen von)',
  '(?:(?:mais|et) )*(?:pas(?= (?:d[’\']|(?:de|chez|dans|sur|les|des|en|pour|avec) ))|aucune?|sauf|hors(?! d[e’\'])|hormis|' +
    'except[ée]e?s?|à l[’\']exc(?:eption|lusion)|(?:en )?excluant|exclure)',
  '(?:(?:pero|y|mas|e|ma) )*(?:(?:no|não|non)(?= (?:en|con|em|com|in|nei|negli|nelle|nos|nas|los|las|os|as|gli|su|sui|per|para) ' +
    '(?!bloc|masse|face))|excepto|exceto|eccetto|tranne|salvo|menos(?= (?:en|los|las|os|as) )|except?uando|' +
    'exclu(?:yendo|indo|ir|idos|idas)|esclu(?:dendo|dere|s[oiae])|' +
    '(?:a|con|com|ad) e(?:xcepci[oó]n|xceção|ccezione)|(?:sin|sem) (?:incluir|contar))',
  '(?:maar )?(?:niet(?= (?:bij|in|van|met|over|de|voor) )|geen|behalve|uitgezonderd|met uitzondering)',
  '(?:men )?(?:(?:inte|ikke)(?= (?:hos|på|i|med|om) )|utom|förutom|undtagen|unntatt)',
  '(?:но )?(?:не(?= (?:у|в|на|для|при|с|о|об|по) )|кроме(?! того)|исключая|исключить|за исключением)'
].join('|')
const beginning = new RegExp(`^(?:(?:${beginnings})(?![\\p{L}-])|${without})[ ’']?(?<rest>.+)$`, 'su')

/** Words for "except" without a mark before them: until the next mark. */
const exception = new RegExp(
  '(?<!,|(?<!\\p{L})a)\\s(?:au(?:ß|ss)er(?! (?:Haus|Acht|Kontrolle|Betrieb))|ausgenommen|mit Ausnahme|sauf|hormis|excepté|' +
    'à l[’\']exc(?:eption|lusion)|excepto|exceto|eccetto|tranne|salvo|behalve|utom|undtagen|unntatt|кроме(?! того)|исключая|' +
    'за исключением)\\s(?<rest>[^,;.()]+)', 'gu'
)

const mark = '[，,；;、（(]\\s?'
const character = '[^，,；;、。（）()]'
/** In Chinese, Japanese and Korean, no spaces separate words: an excluded part ends with its mark, as do those in parentheses. */
const unspaced = new RegExp([
  `${mark}[但并且而]{0,2}(?:不包括|不包含|不含(?!${character}*的)|排除|除外|剔除|不要|不考[虑慮]|不[纳納]入|不是|而非)(?<begun>[^，,；;。（）()]+)`,
  `${mark}除了?(?<within>${character}{1,30}?)(?:以外|之外|外)(?=[，,；;。）)]|$)`,
  `${mark}(?<japanese>${character}{1,30}?)(?:を|は|も)?(?:除く|除外(?:する)?|対象外)(?=[、。，）)]|$)`,
  `${mark}(?<korean>${character}{1,30}?)\\s?(?:은|는|을|를)?\\s?(?:제외|배제)(?:함|하고|합니다)?(?=[,.)）]|$)`
].map(part => `${part}[）)]?`).join('|'), 'gu')
const hasUnspaced = /[\p{Script=Han}\p{Script=Hangul}]/u

const maxLength = 160

/** Whether a text has a word that only English ones have. */
export const hasEnglishWord = (text: string): boolean => english.test(text)

/** What a short sentence or a part of one leaves out, if it has no English word; undefined if it names what is wanted. */
export function leftOutElsewhere (part: string): string | undefined {
  const text = part.slice(0, maxLength)
  return beginning.exec(text.slice(0, 1).toLowerCase() + text.slice(1))?.groups?.rest
}

/** Words for "no" begin names of subjects, too: "Keine Armut" is a goal of the United Nations. */
const beginsWithNo = /^(?:(?:aber|jedoch|und|bitte|mais|et|maar) )*(?:keine?[nmrs]?(?= )|pas(?= d)|aucune?(?= )|geen(?= ))/iu
const preposition = '(?:bei|in|im|von|für|mit|zu|über|chez|des?|dans|sur|pour|en|bij|van|voor|met|over) '
/** Kinds of papers, animals and people at the end of a word: "Tierstudien". */
const namedKind = new RegExp(
  `^(?:de |d[’'])?(?:(?!${preposition})[\\p{L}-]+ ){0,2}[\\p{L}-]*(?:studien?|reviews?|arbeit(?:en)?|artikeln?|berichte?n?|briefe?|kommentare?|` +
    'editorials?|preprints?|versuche?n?|modelle?n?|simulation(?:en)?|kindern?|tieren?|mäusen?|ratten|patient(?:en|innen)|erwachsenen?|' +
    'jugendlichen?|frauen|männern?|menschen|revues?|études?|articles?|essais?|éditoria(?:l|ux)|lettres?|enfants?|anima(?:l|ux)|souris|' +
    'rats?|patients?|adultes?|adolescents?|femmes?|hommes?|studies?|artikelen|dieren|kinderen|muizen|proeven|patiënten|volwassenen|' +
    'vrouwen|mannen|mensen)(?!\\p{L})', 'iu'
)

/** Whether a whole sentence that has no English word is left out. */
export function isLeftOutElsewhere (sentence: string): boolean {
  const named = leftOutElsewhere(sentence)
  return named !== undefined && !hasEnglishWord(sentence) && (!beginsWithNo.test(sentence) || namedKind.test(named))
}

/** A sentence without what it leaves out where no mark, or one of Chinese, Japanese and Korean, shows its begin. */
export function withoutForeignExceptions (text: string, leaveOut: (excluded: string) => string): string {
  const replaced = (...args: unknown[]) => {
    const groups = args.at(-1) as Record<string, string | undefined>
    return leaveOut(Object.values(groups).find(each => each !== undefined) ?? '')
  }
  const spaced = hasEnglishWord(text) ? text : text.replace(exception, replaced)
  return hasUnspaced.test(spaced) ? spaced.replace(unspaced, replaced) : spaced
}
