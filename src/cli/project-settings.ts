import { type Command as Program, InvalidArgumentError } from 'commander'

const collect = (value: string, earlier: string[] = []) => [...earlier, value]

function number (value: string): number {
  if (value.trim() === '' || Number.isNaN(Number(value))) throw new InvalidArgumentError('It must be a number from 0 to 1.')
  return Number(value)
}

/** Declares what can be set of a project. Lists are given by repeating their option. */
export const withSettings = (program: Program): Program => program
  .option('--keyword <word>', 'a word or phrase that speaks for a paper; may be repeated', collect)
  .option('--exclude <word>', 'a word or phrase that excludes a paper; may be repeated', collect)
  .option('--source <name[=query]>', 'where papers are fetched from: pubmed, "arxiv=cat:q-bio.NC", "feed=https://…"; without a query, the keywords; may be repeated; without any, a new project has arxiv, pubmed and europepmc', collect)
  .option('--must-read <score>', 'score from which a paper is must_read, 0 to 1', number)
  .option('--threshold <score>', 'score from which a fetched paper enters the feed, 0 to 1', number)

/** The options as the contract's properties: those that were given. */
export function settingsOf ({ name, interest, keyword, exclude, source, mustRead, threshold }: Record<string, any>): object {
  const settings = {
    name,
    interest_description: interest,
    positive_keywords: keyword,
    negative_keywords: exclude,
    sources: (source as string[] | undefined)?.map(sourceOf),
    must_read_threshold: mustRead,
    feed_threshold: threshold
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

function sourceOf (written: string): { name: string, query: string } {
  const at = written.indexOf('=')
  return at === -1 ? { name: written, query: '' } : { name: written.slice(0, at), query: written.slice(at + 1) }
}
