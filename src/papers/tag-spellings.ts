import type { Db } from '../../db/connection.js'
import type { ProjectIds } from '../../db/queries/ownership.js'
import { walkTagged } from '../../db/queries/tags.js'
import { createYielder } from '../threads/yielder.js'

/** Tags of items that are counted. */
const maxCountedTags = 50_000

/** A spelling of a tag, with the number of its papers, and of those in one project. */
export interface TagSpelling { key: string, tag: string, papers: number, papers_within: number }

/**
 * The spellings of the tags in the account's feeds, most used first, ties by code points. If its items have more than 50,000 tags together,
 * some are counted. Reads and counts them slice by slice, so that others run in between.
 * @param projectIds null: of all projects
 * @param within a project whose papers are counted apart
 */
export async function countTagSpellings (
  db: Db,
  accountId: string,
  projectIds: ProjectIds,
  limit: number,
  within: string | null = null
): Promise<TagSpelling[]> {
  const spellings = new Map<string, TagSpelling>()
  const yielded = createYielder()
  let left = maxCountedTags
  for await (const items of walkTagged(db, accountId, projectIds)) {
    for (const { project_id, tags, tag_keys } of items) {
      for (const [at, tag] of tags.slice(0, left).entries()) {
        const key = tag_keys[at]!
        const place = `${key}\n${tag}`
        const spelling = spellings.get(place) ?? { key, tag, papers: 0, papers_within: 0 }
        spelling.papers++
        if (project_id === within) spelling.papers_within++
        spellings.set(place, spelling)
      }
      left -= tags.length
      if (left <= 0) return await mostUsed([...spellings.values()], limit)
      await yielded()
    }
  }
  return await mostUsed([...spellings.values()], limit)
}

/** Sorts a part at a time, as one sort of all spellings could not yield. */
async function mostUsed (spellings: readonly TagSpelling[], limit: number): Promise<TagSpelling[]> {
  const yielded = createYielder()
  let most: TagSpelling[] = []
  for (let at = 0; at < spellings.length; at += limit) {
    most = [...most, ...spellings.slice(at, at + limit)].sort(byUse).slice(0, limit)
    await yielded()
  }
  return most
}

const byUse = (a: TagSpelling, b: TagSpelling): number => b.papers - a.papers || compareCodePoints(a.tag, b.tag)

/** As UTF-8 is ordered. Units of surrogate pairs are less than those of characters after them, which have smaller code points. */
function compareCodePoints (a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  for (let at = 0; at < end; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)]
    if (left !== right) return isSurrogate(left) === isSurrogate(right) ? left - right : isSurrogate(left) ? 1 : -1
  }
  return a.length - b.length
}

/** Half of a character beyond the first 65,536. A tag has no half alone. */
const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff
