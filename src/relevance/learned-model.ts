import { findModel } from '../../db/queries/relevance.js'
import type { Db } from '../../db/connection.js'
import type { Model } from './model.js'

/** What a project's votes have taught; null while there are none, or where another version of the program learned it. */
export async function learnedModel (db: Db, projectId: string): Promise<Model | null> {
  const model = (await findModel(db, projectId))?.model as Model | undefined
  return model?.version === 1 ? model : null
}
