import type { Db } from '../../db/connection.js'
import * as briefs from '../../db/queries/briefs.js'
import { type ItemDetails, listItems } from '../../db/queries/feed.js'

/** A brief with its items as they are stored. */
export type SavedBrief = briefs.SavedBrief<ItemDetails>

type Parameter<Place extends number> = Parameters<typeof briefs.saveNextBrief>[Place]

/** Saves a consumer's next brief, and reads its items with the same database. */
export const saveNextBrief = (db: Db, accountId: string, reader: Parameter<2>, request: Parameter<3>, step?: Parameter<5>) =>
  briefs.saveNextBrief(db, accountId, reader, request, async itemIds => await listItems(db, accountId, itemIds), step)
