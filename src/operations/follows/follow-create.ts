import { addFollow, type FollowDetails } from '../../../db/queries/follows.js'
import {
  type Follow as FollowRecord, Follow, FollowInput, type FollowTarget, maxFollowIds, maxFollows, visibleName
} from '../../../schemas/follow.js'
import { invisibleName } from '../../errors/invisible-name.js'
import { InvalidArguments, ProjectNotFound } from '../../errors/operation-errors.js'
import { followIds, sameFollowFinder } from '../../papers/follows.js'
import { operation } from '../operation.js'

/** Converts a stored follow to the published record. */
export const followOf = ({ created_at, ...follow }: FollowDetails): FollowRecord => ({
  ...follow,
  matched_by: follow.ids.length > 0 ? 'id' : 'name',
  created_at: created_at.toISOString()
})

type StatedFollow = Omit<FollowTarget, 'ids'> & { ids?: string[] | undefined }

/** Reads the target of a follow. @returns it with valid ids @throws InvalidArguments */
export function readFollow ({ kind, name: written, ids: stated = [] }: StatedFollow): FollowTarget {
  const name = visibleName(written)
  if (name === '') throw invisibleName()
  const ids = followIds(kind, stated)
  if (ids === null) {
    const allowed = {
      author: 'ORCID iDs and OpenAlex author ids',
      journal: 'ISSNs and OpenAlex source ids',
      institution: 'ROR ids and OpenAlex ids'
    }[kind]
    throw new InvalidArguments(`ids has a value that is not an id of this kind. Allowed: ${allowed}.`)
  }
  if (kind === 'institution' && ids.length === 0) {
    throw new InvalidArguments('An institution is followed by its ROR id, such as 03vek6s52, or its OpenAlex id. Add it to ids.')
  }
  return { kind, name, ids }
}

/** @throws ProjectNotFound, InvalidArguments */
export const followCreate = operation({
  name: 'follow_create',
  title: 'Follow an author, a journal or an institution',
  description:
    'Marks papers of an author, a journal or an institution in a feed and raises their score. Ids decide: namesakes with other ids do ' +
    'not match. Without ids, the name decides. An existing follow gains the ids that it lacks. Custom queries of sources fetch more ' +
    'papers.',
  input: FollowInput,
  output: Follow,
  scope: 'act',
  async handler ({ db, account, now }, { project_id, ...target }) {
    const follow = readFollow(target)
    const added = await addFollow(db, account.id, { project_id, ...follow, created_at: now() }, {
      max: maxFollows,
      maxIds: maxFollowIds,
      now: now(),
      findSame: follows => sameFollowFinder(follows)(follow)
    })
    if (added === undefined) throw new ProjectNotFound(project_id)
    if (added === 'full') throw new InvalidArguments(`The project already has ${maxFollows} follows, the maximum. Unfollow one first.`)
    return followOf(added)
  }
})
