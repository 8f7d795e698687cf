/** Trace context of a request or a job, with OpenTelemetry's field names for logs. */
export interface Trace {
  trace_id: string
  /** Span of the caller. Litfeed creates no spans of its own. */
  span_id: string
  /** "01" if the caller samples the trace. */
  trace_flags: string
}

const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/**
 * Parses a traceparent header. Future versions are parsed as version 00.
 * @returns undefined if the header is missing or malformed
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export function readTrace (header: string | string[] | undefined): Trace | undefined {
  if (typeof header !== 'string') return undefined
  const [, version, trace_id, span_id, trace_flags, more] = form.exec(header.trim()) ?? []
  if (trace_id === undefined || (version === '00' && more !== undefined)) return undefined
  return { trace_id, span_id: span_id!, trace_flags: trace_flags! }
}

/** Formats a trace as a traceparent header. */
export const writeTrace = ({ trace_id, span_id, trace_flags }: Trace): string => `00-${trace_id}-${span_id}-${trace_flags}`
