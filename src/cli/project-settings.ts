import { type Command as Program, InvalidArgumentError } from 'commander'

const collect = (value: string, earlier: string[] = []) => [...earlier, value]

function number (value: string): number {
  if (value.trim() === '' || Number.isNaN(Number(value))) throw new InvalidArgumentError('Must be a number from 0 to 1.')
  return Number(value)
}

/** Declares the options for a project's settings. Repeat an option to give a list. */
export const withSettings = (program: Program): Program => program
  .option('--keyword <word>', 'word or phrase to include; repeatable', collect)
  .option('--exclude <word>', 'word or phrase to exclude; repeatable', collect)
  .option('--source <name[=query]>', 'source of papers: pubmed, "arxiv=cat:q-bio.NC", "feed=https://…"; default query: the keywords; repeatable; default sources of a new project: arxiv, pubmed and europepmc', collect)
  .option('--must-read <score>', 'minimum score of must-read papers, 0 to 1', number)
  .option('--threshold <score>', 'minimum score of fetched papers, 0 to 1', number)

/** Maps the given options to properties of project_create and project_update. */
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
