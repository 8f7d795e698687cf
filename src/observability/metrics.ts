import { Counter, Histogram, Registry } from 'prom-client'

/** What happens in this process, counted. Labels hold names of the service's own: no user, no key, no address, no text from outside. */
export function openMetrics () {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    requests: new Histogram({
      name: 'litfeed_http_request_duration_seconds',
      help: 'Time to answer, by method, route and status.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers
    }),
    toolCalls: new Counter({ name: 'litfeed_tool_calls_total', help: 'MCP tool calls, by tool and outcome.', labelNames: ['tool', 'outcome'] as const, registers }),
    logins: new Counter({ name: 'litfeed_logins_total', help: 'Logins by outcome: ok, wrong (address, password or set-up token), limited (after too many wrong ones).', labelNames: ['outcome'] as const, registers }),
    jobs: new Histogram({
      name: 'litfeed_job_duration_seconds',
      help: 'Time that one try of a job took, by task and outcome: done, retried, failed (for good), returned (the process stopped).',
      labelNames: ['task', 'outcome'] as const,
      buckets: [0.1, 1, 10, 60, 600, 3600],
      registers
    }),
    externalRequests: new Histogram({
      name: 'litfeed_outside_request_duration_seconds',
      help: 'Time of one request to an outside service, by service and outcome: the class of its status, 429, or why there was no answer.',
      labelNames: ['service', 'outcome'] as const,
      buckets: [0.1, 0.5, 1, 5, 30],
      registers
    })
  }
}

export type Metrics = ReturnType<typeof openMetrics>
