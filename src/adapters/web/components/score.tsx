/** Formats a relevance score. */
export const score = (value: number): string => value.toFixed(2)

/** A score as a short bar and a number. */
export const ScoreBar = ({ value, strong = false }: { value: number, strong?: boolean }) => (
  <span class='score-line'>
    <svg class={strong ? 'score-picture strong' : 'score-picture'} viewBox='0 0 40 6' width='40' height='6' aria-hidden='true'>
      <rect class='score-ground' width='40' height='6' rx='3' />
      <rect class='score-value' width={Math.max(40 * value, value > 0 ? 2 : 0)} height='6' rx='3' />
    </svg>
    {score(value)}
  </span>
)
