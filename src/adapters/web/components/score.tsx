import { score } from '../../../../schemas/points.js'

/** A score of 0 to 1 as a pill, wherever a paper has one. */
export const ScorePill = ({ value, mustRead = false }: { value: number, mustRead?: boolean }) => (
  <span class={mustRead ? 'score must-read' : 'score'}>
    <span class='unseen'>Match </span>
    <span class='figure'>{score(value)}</span>
    <span class='unseen'> of 100{mustRead ? ', must read' : ''}.</span>
  </span>
)
