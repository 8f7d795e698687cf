/** Formats a relevance score. */
export const score = (value: number): string => value.toFixed(2)

/** A score of 0 to 1 as a pill, wherever a paper has one. */
export const ScorePill = ({ value, mustRead = false }: { value: number, mustRead?: boolean }) => (
  <span class={mustRead ? 'score must-read' : 'score'}>
    <span class='unseen'>Match </span>
    <span class='figure'>{Math.round(value * 100)}</span>
    <span class='unseen'> of 100{mustRead ? ', must read' : ''}.</span>
  </span>
)
