import { stemmer } from 'stemmer'
import { americanSpelling } from './british-spellings.js'
import { irregularSingular } from './irregular-plurals.js'

/** Plurals of words in -sis, which Porter's algorithm takes for those of words in -se. "Bases" and "axes" can be either. */
const greekPlural = new RegExp(
  '(?:(?:ana|para|dia|cata|electro|hydro|pyro|lipo|ha?emo|proteo|glyco|thermo|photo)ly|(?:hypo|syn|pros|anti|paren|epen|meta)the|' +
    'metasta|homeosta|(?:diagn|progn|thromb|sten|fibr|necr|neur|psych|cirrh|scler|kyph|scoli|mit|mei|apopt|symbi|metamorph)o|' +
    '^the|^cri|empha|synop|ellip|exege|(?:^|bio|morpho|carcino|patho|neuro|angio|osteo|onco|muta)gene)ses$'
)

/** The stem of a lower-case English word, the same for British and American spellings and for irregular plurals. */
export const porterStem = (word: string): string => stripSuffix(americanSpelling(irregularSingular(word) ?? word))

/**
 * A lower-case English word without its suffix, a part of the word in most cases.
 * @see Porter 1980, An algorithm for suffix stripping, doi:10.1108/eb046814
 */
export const stripSuffix = (word: string): string => stemmer(greekPlural.test(word) ? `${word.slice(0, -2)}is` : word)
