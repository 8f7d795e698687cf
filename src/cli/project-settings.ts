import { type Command as Program, Option } from 'commander'
import { projectUpdate } from '../operations/projects/project-update.js'
import { defaultSources } from '../sources/projects/project-sources.js'
import { collect } from './command.js'
import { rangeOf } from './option-texts.js'

const { must_read_threshold, feed_threshold, weekly_limit } = projectUpdate.input.properties

const sourceText = 'source of papers: pubmed, "arxiv=cat:q-bio.NC", "feed=https://…"; default query: the keywords; repeatable; ' +
  `default for a new project: ${defaultSources.map(({ name }) => name).join(', ')}`

const keywordText = 'word or phrase to include; repeatable'
const excludeText = 'word or phrase to exclude; repeatable'

/** Declares the options for all settings of a new project. */
export const withSettings = (program: Program): Program => withNumbers(program
  .option('--keyword <word>', keywordText, collect)
  .option('--exclude <word>', excludeText, collect))
  .option('--source <name[=query]>', sourceText, collect)

/** Declares the options that change a project's settings. */
export const withChanges = (program: Program): Program => withScoreChanges(program)
  .option('--source <name[=query]>', `${sourceText}; replaces all sources`, collect)
  .addOption(new Option('--no-sources', 'remove all sources').conflicts('source'))

/** Declares the options that change settings which affect scores. */
export const withScoreChanges = (program: Program): Program => withNumbers(program
  .option('--keyword <word>', `${keywordText}; replaces all keywords`, collect)
  .addOption(new Option('--no-keywords', 'remove all keywords').conflicts('keyword'))
  .option('--exclude <word>', `${excludeText}; replaces all excluded keywords`, collect)
  .addOption(new Option('--no-excludes', 'remove all excluded keywords').conflicts('exclude')))

const withNumbers = (program: Program): Program => program
  .option('--must-read <score>', `minimum score of must-read papers, ${rangeOf(must_read_threshold)}`)
  .option('--threshold <score>', `minimum score of fetched papers, ${rangeOf(feed_threshold)}`)
  .option('--per-week <papers>', `only the best fetched papers of each week, ${rangeOf(weekly_limit)}; 0: no limit`)

/** Maps options to properties of project_create, project_update and project_preview. Omits absent options. */
export function settingsOf (options: Record<string, any>): object {
  const settings = {
    name: options.name,
    interest_description: options.interest,
    positive_keywords: options.keywords === false ? [] : options.keyword,
    negative_keywords: options.excludes === false ? [] : options.exclude,
    sources: options.sources === false ? [] : (options.source as string[] | undefined)?.map(sourceOf),
    must_read_threshold: options.mustRead,
    feed_threshold: options.threshold,
    weekly_limit: options.perWeek
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

function sourceOf (option: string): { name: string, query: string } {
  const at = option.indexOf('=')
  return at === -1 ? { name: option, query: '' } : { name: option.slice(0, at), query: option.slice(at + 1) }
}
