import { createHash } from 'node:crypto'
import type { AllFeedsItem } from '../../../../../schemas/all-feeds.js'
import { createYielder } from '../../../../threads/yielder.js'
import { assetsVersion } from '../../assets.js'

/**
 * The versions of the pages of papers, which change when a page does, each from all items of a paper. Yields to the event loop: a hundred
 * papers of large collaborations have 30 MB.
 */
export async function pageVersions (papers: ReadonlyArray<readonly AllFeedsItem[]>): Promise<string[]> {
  const yieldIfDue = createYielder()
  const versions: string[] = []
  for (const items of papers) {
    const { paper } = items[0]!
    const marks = items.map(({ feedback, tags, note }) => [feedback?.vote, feedback?.downvote_reason, tags.join(), note])
    versions.push(createHash('sha256').update(JSON.stringify([assetsVersion, paper, marks])).digest('base64url'))
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
  }
  return versions
}
