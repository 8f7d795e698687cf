import { type ItemDetails, walkItems } from '../../../db/queries/feed.js'
import { listProjectNames } from '../../../db/queries/projects.js'
import { keyConsumer, namedConsumer, saveNextBrief } from '../../../db/queries/briefs.js'
import { FeedBriefInput, FeedBriefResult } from '../../../schemas/brief.js'
import type { itemDetails } from '../../../schemas/feed.js'
import { normalForm } from '../../../schemas/normal-form.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { InvalidArguments, ProjectNotFound } from '../../errors/operation-errors.js'
import { coverageOfAll, walkCoverage } from '../../sources/projects/coverage.js'
import type { Context } from '../context.js'
import { collectItems } from '../collect-items.js'
import { isLimited } from '../key-access.js'
import { operation } from '../operation.js'
import { itemReader } from '../../papers/brief.js'
import { nearestFirst } from '../project-not-found.js'

/**
 * Returns the best items that a consumer has not acknowledged. Items come again until they are acknowledged, so nothing is lost with a
 * response.
 * @throws ProjectNotFound, and InvalidArguments for an unknown brief or one consumer too many
 */
export const feedBrief = operation({
  name: 'feed_brief',
  title: 'Get new papers',
  description: [
    'Returns the best papers of all feeds, or of one project, that this consumer has not acknowledged. ' +
    'Items of all feeds name their project; a paper in two feeds is two items.',
    'After you have used a brief, pass its brief_id as acknowledge in the next call; otherwise its items come again.',
    'remaining says how many more there are. If coverage.complete is false, tell the user that papers may be missing.',
    'An item has about 900 characters: use a limit up to 40.',
    'Use feed_get for a period, feed_search for a subject.',
    'Example: {"consumer": "weekly brief", "acknowledge": "7a1e2f60-3c1d-4b52-9a70-5e2d7c11f0aa", "limit": 10}'
  ].join(' '),
  input: FeedBriefInput,
  output: FeedBriefResult,
  scope: 'read',
  async handler (context, { project_id, consumer, acknowledge, limit = defaultLimit, detail = 'brief' }) {
    const { db, account, key, now } = context
    const visibleProjectIds = key?.projectIds ?? undefined
    const projectIds = project_id === undefined ? visibleProjectIds : [project_id]
    const projects = await listProjectNames(db, account.id, projectIds)
    if (project_id !== undefined && projects.length === 0) throw new ProjectNotFound(project_id)
    // Before the brief: what is fetched in between may not be in it.
    const coverage = await coverageOfAll(walkCoverage(context, projects.map(({ id }) => id)), now())

    const brief = await saveNextBrief(
      db,
      account.id,
      { consumer: consumerOf(context, consumer), projectIds: projects.map(({ id }) => id), visibleProjectIds },
      { acknowledge, limit, now: now() },
      itemIds => readItems(context, itemIds, detail)
    )
    if (brief === 'unknown brief') {
      throw new InvalidArguments(
        'acknowledge is not a brief of this consumer. Pass the same consumer as in the call that returned this brief_id. If it is too ' +
          'old, call feed_brief with that consumer and without acknowledge: items that you have not acknowledged come again.',
        { userMessage: 'This brief does not belong to this reader. Ask for a new one.' }
      )
    }
    if (Array.isArray(brief)) throw tooManyConsumers(context, consumer, brief)
    const names = new Map(projects.map(({ id, name }) => [id, name]))
    return {
      brief_id: brief.id,
      items: brief.items.map(({ item, project_id: id }) =>
        project_id === undefined ? { ...item, project_id: id, project_name: names.get(id) ?? '' } : item),
      remaining: brief.remaining,
      coverage
    }
  }
})

/** Names the others, nearest first, unless the key must not learn of readers of other projects. */
function tooManyConsumers (context: Pick<Context, 'key'>, consumer: string | undefined, others: readonly string[]): InvalidArguments {
  if (consumer === undefined) {
    return new InvalidArguments(
      'The account already has the maximum number of keys that read briefs without a consumer. Pass a consumer, or delete unused keys.'
    )
  }
  const names = nearestFirst(consumer, others, name => name).map(name => JSON.stringify(name)).join(', ')
  const next = isLimited(context) ? 'Use a former name' : `Use one of them, in the same case (${names})`
  return new InvalidArguments(`consumer is new, and the account already has the maximum number of consumers. ${next}, or omit consumer.`)
}

/** The items of a brief, with what the stored ones are compared by. */
async function readItems (context: Context, itemIds: readonly string[], detail: typeof itemDetails[number]) {
  const { db, account, key } = context
  const { extract, itemOf } = itemReader(detail)
  const rows: Array<Pick<ItemDetails, 'item_id' | 'id' | 'project_id'>> = []
  const items = await collectItems(context, walkItems(db, account.id, itemIds, { extract, visibleProjectIds: key?.projectIds }), row => {
    const { item_id, id, project_id } = row
    rows.push({ item_id, id, project_id })
    return itemOf(row)
  })
  return items.map((item, at) => ({ item, ...rows[at]! }))
}

/** A key cannot take the default consumer of another by its name. */
const consumerOf = ({ key }: Pick<Context, 'key'>, name: string | undefined): string =>
  name !== undefined ? namedConsumer(normalForm(name.trim(), 'NFKC')) : key !== undefined ? keyConsumer(key.id) : 'account'
