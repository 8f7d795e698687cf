/** A custom query of a source. */
export interface FollowQuery { name: string, query: string }

/** Without what has a meaning in query languages. */
const bare = (text: string) => text.replace(/["\\()[\]{}*?~^:]+/g, ' ').replace(/\s+/g, ' ').trim()

/** "Ada B. Müller" and "Müller, Ada B." are "Müller" with the initials "AB"; "Müller AB" has them already. */
function nameParts (name: string): { family: string, initials: string } | undefined {
  const [beforeComma, afterComma] = name.split(',', 2).map(part => bare(part))
  const words = bare(name.replaceAll(',', ' ')).split(' ').filter(word => word !== '')
  if (words.length < 2) return undefined
  const initialsOf = (given: readonly string[]) => given.flatMap(word => word.match(/\p{L}/u) ?? []).join('').toUpperCase()
  if (afterComma !== undefined && afterComma !== '') return { family: beforeComma!, initials: initialsOf(afterComma.split(' ')) }
  const last = words.at(-1)!
  if (/^\p{Lu}{1,3}$/u.test(last)) return { family: words.slice(0, -1).join(' '), initials: last }
  return { family: last, initials: initialsOf(words.slice(0, -1)) }
}

/** Queries for papers of people with an author's name. Indexes do not tell people of the same name apart. */
export function authorQueries (name: string): FollowQuery[] {
  const parts = nameParts(name)
  if (parts === undefined) return []
  const { family, initials } = parts
  return [
    { name: 'pubmed', query: `"${family} ${initials}"[Author]` },
    { name: 'europepmc', query: `AUTH:"${family} ${initials}"` },
    { name: 'arxiv', query: `au:"${bare(name.replaceAll(',', ' '))}"` }
  ]
}

/** Queries for the papers of a journal. */
export function journalQueries (venue: string): FollowQuery[] {
  const journal = bare(venue)
  return journal === '' ? [] : [{ name: 'pubmed', query: `"${journal}"[Journal]` }, { name: 'europepmc', query: `JOURNAL:"${journal}"` }]
}
