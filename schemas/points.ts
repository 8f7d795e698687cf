/** Pages and mail show scores and their parts from 0 to 100; everything else counts them from 0 to 1. */
export const toPoints = (value: number): number => Number((100 * value).toPrecision(12))

/** Formats a paper's score of 0 to 1 as a whole number of points, rounded down: a paper that misses a threshold never shows it. */
export const score = (value: number): string => String(Math.floor(toPoints(value)))
