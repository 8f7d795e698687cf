import { invisibleName } from '../errors/invisible-name.js'
import { wellFormed } from '../papers/well-formed.js'

interface Settings { name?: string, positive_keywords?: string[], negative_keywords?: string[] }

/**
 * The settings of a project without characters that people cannot see, since models read them. @throws InvalidArguments where nothing of
 * the name is left
 */
export function visibleSettings<T extends Settings> (settings: T): T {
  const visible = wellFormed(settings)
  if (visible.name?.trim() === '') throw invisibleName()
  for (const keywords of ['positive_keywords', 'negative_keywords'] as const) {
    if (visible[keywords] !== undefined) visible[keywords] = visible[keywords].filter(keyword => keyword.trim() !== '')
  }
  return visible
}
