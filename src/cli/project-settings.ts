import type { Command as Program } from 'commander'
import { projectUpdate } from '../operations/projects/project-update.js'
import { defaultSources } from '../sources/projects/project-sources.js'
import { collect } from './command.js'
import { rangeOf } from './option-texts.js'

const { must_read_threshold, feed_threshold, weekly_limit } = projectUpdate.input.properties

const sourceText = 'source of papers: pubmed, "arxiv=cat:q-bio.NC", "feed=https://…"; default query: the keywords; repeatable; ' +
  `default for a new project: ${defaultSources.map(({ name }) => name).join(', ')}`

/** Declares the options for all settings of a project. */
export const withSettings = (program: Program): Program => withScoreSettings(program).option('--source <name[=query]>', sourceText, collect)

/** Declares the options for settings that affect scores. */
export const withScoreSettings = (program: Program): Program => program
  .option('--keyword <word>', 'word or phrase to include; repeatable', collect)
  .option('--exclude <word>', 'word or phrase to exclude; repeatable', collect)
  .option('--must-read <score>', `minimum score of must-read papers, ${rangeOf(must_read_threshold)}`)
  .option('--threshold <score>', `minimum score of fetched papers, ${rangeOf(feed_threshold)}`)
  .option('--per-week <papers>', `only the best fetched papers of each week, ${rangeOf(weekly_limit)}; 0: no limit`)

/** Maps options to properties of project_create, project_update and project_preview. Omits absent options. */
export function settingsOf ({ name, interest, keyword, exclude, source, mustRead, threshold, perWeek }: Record<string, any>): object {
  const settings = {
    name,
    interest_description: interest,
    positive_keywords: keyword,
    negative_keywords: exclude,
    sources: (source as string[] | undefined)?.map(sourceOf),
    must_read_threshold: mustRead,
    feed_threshold: threshold,
    weekly_limit: perWeek
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

function sourceOf (option: string): { name: string, query: string } {
  const at = option.indexOf('=')
  return at === -1 ? { name: option, query: '' } : { name: option.slice(0, at), query: option.slice(at + 1) }
}
