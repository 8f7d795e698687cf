/** An argument and its problem. */
export interface ArgumentProblem {
  /** Path of the argument, such as `sources.3.query`. */
  path: string
  /** Text that a page shows after the argument's label, such as "must not be empty." */
  problem: string
}

/**
 * Describes a problem on a page: the path `positive_keywords.3` becomes "Positive keywords, entry 4,".
 * @param labelOf the label of an argument; undefined for the argument's name in words
 */
export function describeProblem (
  { path, problem }: ArgumentProblem,
  labelOf: (argument: string) => string | undefined = () => undefined
): string {
  const [argument = '', ...rest] = path.split('.')
  const parts = rest.map(part => /^\d+$/.test(part) ? `entry ${Number(part) + 1}` : inWords(part))
  const label = labelOf(argument) ?? inWords(argument).replace(/^./, first => first.toUpperCase())
  return `${parts.length === 0 ? label : `${[label, ...parts].join(', ')},`} ${problem}`
}

const inWords = (name: string): string => name.replaceAll('_', ' ')
