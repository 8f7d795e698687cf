import { invisibleName } from '../errors/invisible-name.js'
import { tagKey } from '../../schemas/tags.js'
import { wellFormed } from '../papers/well-formed.js'

interface Settings { name?: string, positive_keywords?: string[], negative_keywords?: string[] }

/**
 * The settings of a project without characters that people cannot see, since models read them, and each keyword once: a paper with a
 * keyword in two spellings would have two. @throws InvalidArguments where nothing of the name is left
 */
export function visibleSettings<T extends Settings> (settings: T): T {
  const visible = wellFormed(settings)
  if (visible.name?.trim() === '') throw invisibleName()
  for (const keywords of ['positive_keywords', 'negative_keywords'] as const) {
    if (visible[keywords] !== undefined) visible[keywords] = distinctKeywords(visible[keywords])
  }
  return visible
}

/** Keywords without blank ones, trimmed, and of those that differ in case alone the first. */
function distinctKeywords (keywords: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const keyword of keywords.map(each => each.trim())) {
    if (keyword !== '' && !byKey.has(tagKey(keyword))) byKey.set(tagKey(keyword), keyword)
  }
  return [...byKey.values()]
}
