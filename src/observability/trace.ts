/** A trace that a request or a job belongs to, under the names that OpenTelemetry gives these fields in a log. */
export interface Trace {
  trace_id: string
  /** The caller's span: this service makes none, so that its lines hang on that. */
  span_id: string
  /** "01" where the caller records the trace. */
  trace_flags: string
}

const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/**
 * Reads the header traceparent; undefined where it is missing or wrong, which is as if it were missing. A version that is not known yet is
 * read as far as it is known.
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function readTrace (header: string | string[] | undefined): Trace | undefined {
  if (typeof header !== 'string') return undefined
  const [, version, trace_id, span_id, trace_flags, more] = form.exec(header.trim()) ?? []
  if (trace_id === undefined || (version === '00' && more !== undefined)) return undefined
  return { trace_id, span_id: span_id!, trace_flags: trace_flags! }
}

/** As the header has it. */
export const writeTrace = ({ trace_id, span_id, trace_flags }: Trace): string => `00-${trace_id}-${span_id}-${trace_flags}`
