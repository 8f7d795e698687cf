/** Pages show scores and their parts from 0 to 100; everything else counts them from 0 to 1. */
export const toPoints = (value: number): number => Number((100 * value).toPrecision(12))

/** Formats a paper's score of 0 to 1 as a whole number of points. */
export const score = (value: number): string => String(Math.round(100 * value))

/** A score of 0 to 1 as a pill, wherever a paper has one. */
export const ScorePill = ({ value, mustRead = false }: { value: number, mustRead?: boolean }) => (
  <span class={mustRead ? 'score must-read' : 'score'}>
    <span class='unseen'>Match </span>
    <span class='figure'>{score(value)}</span>
    <span class='unseen'> of 100{mustRead ? ', must read' : ''}.</span>
  </span>
)
