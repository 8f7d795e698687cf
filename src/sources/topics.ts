import { plainText } from './formats/plain-text.js'

const mostTopics = 12
const longestTopic = 100
/** Words that join what an interest is about, and are no part of it. */
const joining = new Set(('a about across after against all also among an and any are as at based be been before between both but by can could does during each especially ' +
  'etc for from further had has have how i if in including interest interested into is it its like may me methods more most my new no not of on or other our over ' +
  'papers particularly per recent related research results role so some studies study such than that the their them there these they this those through to towards ' +
  'under understanding use used uses using via was we what when where whether which while who why will with within without work would').split(' '))

/**
 * What a project is about, as phrases that an index can be asked for: its keywords, or where it has none, the runs of content words in
 * its description, single words only where there is nothing longer.
 */
export function topicsOf ({ positive_keywords, interest_description }: { positive_keywords: readonly string[], interest_description: string }): string[] {
  const keywords = positive_keywords.map(bare).filter(keyword => keyword !== '')
  if (keywords.length > 0) return [...new Set(keywords)].slice(0, mostTopics)
  const runs = plainText(interest_description).toLowerCase().split(/[^\p{L}\p{N}\s'’-]+/u).flatMap(contentRuns)
  const phrases = runs.filter(run => run.includes(' '))
  return [...new Set(phrases.length > 0 ? phrases : runs)].slice(0, mostTopics)
}

function contentRuns (clause: string): string[] {
  const runs: string[][] = [[]]
  for (const word of clause.split(/\s+/).filter(word => word !== '')) {
    if (joining.has(word)) runs.push([])
    else runs.at(-1)!.push(word)
  }
  // A long run is rarely a phrase that anybody else has written.
  return runs.filter(run => run.length > 0).map(run => run.slice(0, 3).join(' '))
}

/** Phrases between OR or commas, as a person writes a list of topics. */
export const topicsIn = (query: string): string[] => query.replace(/[^\S\n]+/g, ' ').split(/ OR |[,;|\n]/).map(bare).filter(topic => topic !== '').slice(0, 40)

/** A phrase without what query languages give a meaning to. */
const bare = (phrase: string) => plainText(phrase.replace(/["'“”()[\]{}:\\*?~^]+/g, ' ')).slice(0, longestTopic).trim()

/** Tells whether a text has all words of one of the topics, each at a word's beginning: "editing" does not stand for "edit", "edit" does for "editing". */
export function mentions (topics: readonly string[]): (text: string) => boolean {
  const wanted = topics.map(topic => words(topic))
  return text => {
    const there = ` ${words(text).join(' ')}`
    return wanted.some(each => each.every(word => there.includes(` ${word}`)))
  }
}

const words = (text: string) => text.normalize('NFKD').replace(/\p{M}+/gu, '').toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(word => word !== '')

/** A query in a boolean language that quotes phrases: "lung cancer" OR asthma. */
export const anyOf = (topics: readonly string[], form: (phrase: string) => string = phrase => phrase): string =>
  topics.map(topic => form(topic.includes(' ') || topic.includes('-') ? `"${topic}"` : topic)).join(' OR ')

/** What is wrong with a query of a boolean language, whichever it is; null where nothing is. */
export function unbalanced (query: string): string | null {
  if ((query.match(/"/g)?.length ?? 0) % 2 === 1) return 'a quotation mark is not closed.'
  let depth = 0
  for (const mark of query.replace(/"[^"]*"/g, '')) {
    if (mark === '(') depth++
    if (mark === ')') depth--
    if (depth < 0) return 'a parenthesis is closed that was not opened.'
  }
  return depth > 0 ? 'a parenthesis is not closed.' : null
}
