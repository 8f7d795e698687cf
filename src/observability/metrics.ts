import { Counter, Histogram, Registry } from 'prom-client'

/** Creates the metrics of this process. Labels contain only Litfeed's own names: no users, keys, addresses or external text. */
export function openMetrics () {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    requests: new Histogram({
      name: 'litfeed_http_request_duration_seconds',
      help: 'Response time by method, route and status.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers
    }),
    toolCalls: new Counter({
      name: 'litfeed_tool_calls_total',
      help: 'MCP tool calls by tool and outcome.',
      labelNames: ['tool', 'outcome'] as const,
      registers
    }),
    logins: new Counter({
      name: 'litfeed_logins_total',
      help: 'Login attempts by outcome: ok, wrong (email address, password or setup token), limited (too many failed attempts).',
      labelNames: ['outcome'] as const,
      registers
    }),
    jobs: new Histogram({
      name: 'litfeed_job_duration_seconds',
      help: 'Duration of a job attempt by task and outcome: done, retried, failed (permanently), returned (released at shutdown).',
      labelNames: ['task', 'outcome'] as const,
      buckets: [0.1, 1, 10, 60, 600, 3600],
      registers
    }),
    externalRequests: new Histogram({
      name: 'litfeed_outside_request_duration_seconds',
      help: 'Duration of a request to an external service by service and outcome: status class, 429, or the fault.',
      labelNames: ['service', 'outcome'] as const,
      buckets: [0.1, 0.5, 1, 5, 30],
      registers
    })
  }
}

/** The metrics of one process and their registry. */
export type Metrics = ReturnType<typeof openMetrics>
