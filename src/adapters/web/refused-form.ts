import { describeProblem } from '../../errors/argument-problem.js'
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
 * @param fieldOf the path of the field that an argument was read from: `custom_queries_arxiv.0` for `sources.2.query`
 */
export function refusedForm (action: string, error: OperationError, fieldOf: (argument: string) => string): RefusedForm {
  const labels = new Map<string, string>()
  const invalid = error instanceof InvalidArguments ? error.invalid : undefined
  let wasShown = false
  return {
    action,
    hasInvalidField: invalid !== undefined,
    wasShown: () => wasShown,
    isInvalid: field => invalid !== undefined && fieldOf(invalid.path).split('.', 1)[0] === field,
    addLabel: (field, label) => { labels.set(field, label) },
    message () {
      wasShown = true
      if (invalid === undefined) return error.userMessage
      const { path, problem } = invalid
      return describeProblem({ path: fieldOf(path), problem }, field => labels.get(field))
    }
  }
}
