import { type ArgumentProblem, describeProblem } from '../../errors/argument-problem.js'
import { InvalidArguments, type OperationError } from '../../errors/operation-errors.js'

/** A form whose action was refused. Its page is shown again with the reason. */
export interface RefusedForm {
  action: string
  /** Records the label of a field. The form's fields do this as they render. */
  addLabel: (field: string, label: string) => void
  /** Whether the reason is in one of the fields. */
  hasInvalidField: boolean
  /** Whether the reason is in this field. */
  isInvalid: (field: string) => boolean
  /** The reason. It names the invalid field by its label as soon as the fields were rendered. */
  message: () => string
  /** Whether a form has shown the reason. */
  wasShown: () => boolean
}

/**
 * Describes a refused form.
 * @param inField the problem of an argument in the field that it was read from: `custom_queries_arxiv.0` for `sources.2.query`
 */
export function refusedForm (
  action: string,
  error: OperationError,
  inField: (invalid: ArgumentProblem) => ArgumentProblem
): RefusedForm {
  const labels = new Map<string, string>()
  const problem = error instanceof InvalidArguments ? error.invalid : undefined
  const invalid = problem === undefined ? undefined : inField(problem)
  let wasShown = false
  return {
    action,
    hasInvalidField: invalid !== undefined,
    wasShown: () => wasShown,
    isInvalid: field => invalid !== undefined && invalid.path.split('.', 1)[0] === field,
    addLabel: (field, label) => { labels.set(field, label) },
    message () {
      wasShown = true
      return invalid === undefined ? error.userMessage : describeProblem(invalid, field => labels.get(field))
    }
  }
}
