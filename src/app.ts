import type { Server } from 'node:http'
import Fastify, { type FastifyHttpOptions, type FastifyInstance, LogController } from 'fastify'
import { minuteMs } from '../schemas/durations.js'
import { InvalidArguments } from './errors/operation-errors.js'
import atom from './adapters/atom/plugin.js'
import jobs from './adapters/jobs/plugin.js'
import mcp from './adapters/mcp/plugin.js'
import wellKnown from './adapters/mcp/well-known.js'
import type { ServiceContext } from './operations/context.js'
import authentication from './server/authentication.js'
import { answerClientError } from './server/client-errors.js'
import concurrency from './server/concurrency.js'
import shutdown from './server/shutdown.js'
import errors, { sendError } from './server/errors.js'
import health from './server/health.js'
import { createHttpServer } from './server/http-server.js'
import logging, { loggerOptions } from './server/logging.js'
import metrics from './server/metrics.js'
import origins from './server/origins.js'
import { requestIds, trustedProxies } from './server/proxies.js'
import privateResponses, { privateHeaders } from './server/private-responses.js'
import rateLimit from './server/rate-limit.js'
import responseSize from './server/response-size.js'
import tracing from './server/tracing.js'
import unreadResponses, { stalledWriteMs } from './server/unread-responses.js'
import uploads from './server/uploads.js'
import openapi from './adapters/rest/openapi.js'
import rest from './adapters/rest/plugin.js'
import { isLoopback, isLoopbackAddress, isWildcard } from './http/loopback.js'
import type { Settings } from './settings/settings.js'
import { readTrace } from './observability/trace.js'
import web from './adapters/web/plugin.js'

/** Options of the web server. */
export interface AppOptions {
  context: ServiceContext
  settings: Settings
  /** Destination of log lines. Default: standard output. */
  logStream?: { write: (line: string) => void }
}

/** Returns a function that sends requests to the app without a connection. */
export const injectRequest = (app: FastifyInstance): NonNullable<ServiceContext['request']> => async ({ method, path, headers, body }) => {
  const { statusCode, payload } = await app.inject({ method, url: path, headers, payload: body })
  return { status: statusCode, body: payload }
}

/** Time for an upload over a slow connection, 300 kbit/s for the largest file. */
const maxUploadMs = 30 * minuteMs

/** Builds the plugin tree: first the cross-cutting plugins, then the adapters. The server does not listen yet. */
export async function buildApp ({ context: service, settings, logStream }: AppOptions): Promise<FastifyInstance> {
  const trusts = trustedProxies(settings.trustProxy)
  const options: FastifyHttpOptions<Server> = {
    logger: { ...loggerOptions(settings), ...(logStream === undefined ? {} : { stream: logStream }) },
    // server/logging.ts writes one line per request.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(trusts),
    // Every line of a request has its id and, if the caller sent one, its trace.
    childLoggerFactory: (logger, bindings, loggerOptions, { headers }) =>
      logger.child({ ...bindings, ...readTrace(headers.traceparent) }, loggerOptions),
    trustProxy: settings.trustProxy === false ? false : trusts,
    bodyLimit: 1024 * 1024,
    // server/shutdown.ts responds instead, in the format of all errors.
    return503OnClosing: false,
    serverFactory: handle => createHttpServer(
      handle,
      // Bounds slow-header attacks.
      { headersTimeout: 20_000, connectionsCheckingInterval: 5000 },
      // Proxies keep idle connections for up to a minute: closing one earlier could lose the request that they send on it.
      { keepAliveTimeout: 72_000, bodyTimeout: minuteMs, requestTimeout: maxUploadMs, connectionTimeout: stalledWriteMs },
      // Programs of this machine, such as a proxy that TRUST_PROXY does not name, may serve many people.
      {
        total: 2000,
        perNetwork: 200,
        newPerNetwork: { second: 50, burst: 100 },
        isShared: address => trusts(address, 0) || isLoopbackAddress(address)
      }
    ),
    routerOptions: { maxParamLength: 256 },
    clientErrorHandler: answerClientError,
    // URLs that the router rejects, such as one with a malformed escape. No hook runs, so none adds headers.
    frameworkErrors: (_error, request, reply) => {
      sendError(
        new InvalidArguments('Invalid URL: it has a malformed % escape or a segment that is too long.'),
        reply.headers({
          ...privateHeaders,
          'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
          'x-request-id': request.id
        })
      )
    }
  }
  const app: FastifyInstance = Fastify(options)
  // Operations that test the service send requests through the whole app.
  const context: ServiceContext = Object.freeze({ ...service, request: injectRequest(app) })
  const ownOrigin = () => new URL(context.baseUrl()).origin

  await app.register(errors)
  await app.register(tracing)
  await app.register(privateResponses)
  await app.register(logging)
  await app.register(origins, {
    allowedOrigins: settings.allowedOrigins,
    ownOrigin,
    loopback: isLoopback(settings.host),
    anyAddress: isWildcard(settings.host) && settings.baseUrl === undefined
  })
  await app.register(shutdown)
  await app.register(unreadResponses)
  await app.register(responseSize)
  await app.register(openapi, { baseUrl: context.baseUrl })
  await app.register(metrics, { context, ownOrigins: () => [ownOrigin(), ...settings.allowedOrigins] })
  await app.register(rateLimit, { rateLimit: settings.rateLimit })
  await app.register(concurrency, { maxConcurrentRequests: settings.maxConcurrentRequests })
  await app.register(uploads)
  await app.register(authentication, { context })
  await app.register(health, { context })

  await app.register(mcp, { context })
  await app.register(wellKnown)
  await app.register(rest, { context })
  await app.register(atom, { context })
  await app.register(web, { context })
  if (settings.jobs === 'on') await app.register(jobs, { context })
  return app
}
