import type { Log } from '../../observability/log.js'
import { redactSecrets } from '../../observability/redaction.js'
import { type Source, SourceError } from '../source.js'

/**
 * Logs a failed search with the source's response, and returns a message for the project's owner that quotes nothing from the source,
 * because models read the message too.
 */
export function reportFailure (
  log: Log,
  error: unknown,
  { name, source }: { name: string, source: Pick<Source, 'title'> | undefined }
): string {
  if (!(error instanceof SourceError)) {
    log.error({ err: error, source: name }, 'A source\'s answer caused an unexpected error.')
    return `${source?.title ?? name} sent something that Litfeed could not process; the log has the details.`
  }
  const { fault, detail, message } = error
  if (detail !== undefined && detail !== '') log.warn({ source: name, fault, detail: redactSecrets(detail) }, 'A source reported an error.')
  return message
}
