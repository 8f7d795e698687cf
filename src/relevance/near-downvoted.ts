/** Without upvotes, papers more similar than this to a downvoted one fall, by so many deviations for a similarity of 1 more. */
const nearDownvoted = { similarity: 0.35, weight: 6 }

/** The deviations by which a paper falls that is more similar to the nearest downvoted one than papers of a field usually are. */
export const nearDownvotedPenalty = (similarities: Float64Array): number =>
  nearDownvoted.weight * similarities.reduce((most, similarity) => Math.max(most, similarity - nearDownvoted.similarity), 0)
