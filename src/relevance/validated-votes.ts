/** Votes that are left out in turn to see what the model predicts for them, and in how many parts. */
const maxValidated = 500
export const folds = 5
/** Of as many papers that their owner brought along, at least, so that the folds know what is liked where all later votes are downvotes. */
const minSeeds = 50

interface Vote {
  isLiked: boolean
  /** Whether its owner brought the paper along, and did not rate it in the feed. */
  isSeed: boolean
  /** Agreement with the present interest, above 0. */
  trust: number
}

/**
 * Chooses the votes that are predicted from each other: all of up to 500. Of more, the newest upvotes and downvotes in the proportion of
 * all: calibration needs it, and after a run of one kind, the newest would hide the other. Votes in the feed come before papers that
 * their owner brought along, which say nothing about scores. @param votes newest first
 */
export function validatedVotes<V extends Vote> (votes: readonly V[]): readonly V[] {
  if (votes.length <= maxValidated) return votes
  const seeds = votes.filter(({ isSeed }) => isSeed)
  const rated = newestOfBothSides(votes.filter(({ isSeed }) => !isSeed), maxValidated - Math.min(seeds.length, minSeeds))
  return [...rated, ...newestOfBothSides(seeds, maxValidated - rated.length)]
}

/** The newest votes of either side, of both the same share of their trust, but at least one for each fold. */
function newestOfBothSides<V extends Vote> (votes: readonly V[], count: number): V[] {
  const shareOfNewer = new Map<V, number>()
  for (const side of [votes.filter(({ isLiked }) => isLiked), votes.filter(({ isLiked }) => !isLiked)]) {
    const total = side.reduce((sum, { trust }) => sum + trust, 0)
    let newer = 0
    for (const [at, vote] of side.entries()) {
      shareOfNewer.set(vote, at < folds ? 0 : newer / total)
      newer += vote.trust
    }
  }
  return [...votes].sort((a, b) => shareOfNewer.get(a)! - shareOfNewer.get(b)!).slice(0, count)
}
