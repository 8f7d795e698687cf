/** Votes that are left out in turn to see what the model predicts for them, and in how many parts. */
const maxValidated = 500
export const folds = 5
/** Of as many papers that their owner brought along, at least, so that the folds know what is liked where all later votes are downvotes. */
const minSeeds = 50
/** Of upvotes and of downvotes, at least: five for each fold. */
const minOfSide = 25

interface Vote {
  isLiked: boolean
  /** Whether its owner brought the paper along, and did not rate it in the feed. */
  isSeed: boolean
}

/**
 * Chooses the votes that are predicted from each other: all of up to 500. Of more, the newest, whose share of upvotes is that of papers
 * that come now, and a few of the other kind after a long run of one. Votes in the feed come before papers that their owner brought along,
 * which say nothing about scores. @param votes newest first
 */
export function validatedVotes<V extends Vote> (votes: readonly V[]): readonly V[] {
  if (votes.length <= maxValidated) return votes
  const seeds = votes.filter(({ isSeed }) => isSeed)
  const rated = newestOf(votes.filter(({ isSeed }) => !isSeed), maxValidated - Math.min(seeds.length, minSeeds))
  return [...rated, ...newestOf(seeds, maxValidated - rated.length)]
}

/** The newest votes, some of them of either side. */
function newestOf<V extends Vote> (votes: readonly V[], count: number): V[] {
  const ofBothSides = [true, false].flatMap(side => votes.filter(({ isLiked }) => isLiked === side).slice(0, minOfSide))
  const chosen = new Set(ofBothSides.slice(0, count))
  for (const vote of votes) if (chosen.size < count) chosen.add(vote)
  return votes.filter(vote => chosen.has(vote))
}
