import type { FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import { shortText } from '../../schemas/short-text.js'
import type { Settings } from '../settings/settings.js'
import { redactSecrets } from '../observability/redaction.js'

/** Removes the query from a URL, since queries can contain keys and tokens. */
const removeQuery = (url: string): string => url.split('?', 1)[0]!

/** Characters of a path that are logged; Node.js accepts 16 KiB. */
const maxPathLength = 200

/** The path of a URL, without secrets. */
const pathOf = (url: string): string => shortText(redactSecrets(removeQuery(url)), maxPathLength)

/** Returns the logger's options: JSON lines, with only the method, path and id of a request. */
export function loggerOptions ({ logLevel }: Pick<Settings, 'logLevel'>): Exclude<FastifyServerOptions['logger'], boolean | undefined> {
  return {
    level: logLevel,
    base: { name: 'litfeed' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: label => ({ level: label }) },
    serializers: {
      req: ({ method, url }: { method: string, url: string }) => ({ method, url: pathOf(url) }),
      err: (error: Error & { code?: unknown }) => ({
        type: error.name,
        code: error.code,
        message: redactSecrets(error.message),
        stack: redactSecrets(error.stack ?? ''),
        ...(error.cause instanceof Error ? { cause: redactSecrets(error.cause.message) } : {})
      })
    } as never
  }
}

/** Logs one line per completed request. */
export default fp(async function logging (fastify) {
  fastify.addHook('onResponse', async (request, reply) => {
    if (request.routeOptions.url === '/healthz') return
    request.log.info({
      method: request.method,
      path: pathOf(request.url),
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime * 10) / 10
    }, 'request completed')
  })
}, { name: 'logging', fastify: '5.x' })
