/**
 * Callers: `anyone`; `session`, an access token; `reader`, an access token, or an MCP key whose scope allows it; `administrator`, the
 * access token of an administrator; `key`, an MCP key alone; `feed token`, the address's own; `page`, a browser that has signed in (others
 * are sent to /login); `administration page`, the browser of an administrator.
 */
export type Caller = 'anyone' | 'session' | 'reader' | 'administrator' | 'key' | 'feed token' | 'page' | 'administration page'

export interface Row {
  may: Caller
  /** Body of a valid call, apart from ids. */
  body?: object | string
  type?: string
}

/** Every route, with who may call it. "*" stands for every method. */
export const access: Record<string, Row | Caller> = {
  'POST /api/auth/register': 'anyone',
  'POST /api/auth/login': 'anyone',
  'POST /api/auth/refresh': 'anyone',
  'POST /api/auth/logout': 'session',
  'GET /api/auth/me': 'session',
  'POST /api/auth/password': 'session',
  'GET /api/auth/sessions': 'session',
  'DELETE /api/auth/sessions': 'session',
  'DELETE /api/auth/sessions/:session_id': 'session',
  'GET /api/auth/mcp-key': 'session',
  'POST /api/auth/mcp-key/rotate': 'session',
  'DELETE /api/auth/mcp-key': 'session',
  'POST /api/auth/feed-token/rotate': 'session',

  'GET /api/account/export': 'session',
  'DELETE /api/account': 'session',
  'GET /api/keys': 'session',
  'POST /api/keys': { may: 'session', body: { name: 'New' } },
  'PATCH /api/keys/:key_id': { may: 'session', body: { name: 'Changed' } },
  'POST /api/keys/:key_id/rotate': 'session',
  'DELETE /api/keys/:key_id': 'session',

  'GET /api/projects': 'reader',
  'POST /api/projects': { may: 'reader', body: { name: 'New' } },
  'POST /api/projects/preview': { may: 'reader', body: { positive_keywords: ['sleep'] } },
  'POST /api/projects/keywords': { may: 'reader', body: { interest_description: 'Sleep and memory.' } },
  'GET /api/projects/:project_id': 'reader',
  'PATCH /api/projects/:project_id': { may: 'reader', body: { name: 'Changed' } },
  'DELETE /api/projects/:project_id': 'reader',
  'POST /api/projects/:project_id/preview': { may: 'reader', body: { feed_threshold: 0.5 } },
  'POST /api/projects/:project_id/fetch': 'reader',
  'POST /api/projects/:project_id/papers': { may: 'reader', body: { identifier: '10.5555/sleep' } },
  'POST /api/projects/:project_id/imports': {
    may: 'reader',
    body: '--part\r\ncontent-disposition: form-data; name="file"; filename="a.ris"\r\n\r\nTY  - JOUR\r\nTI  - Sleep\r\nER  ' +
      '-\r\n\r\n--part--\r\n',
    type: 'multipart/form-data; boundary=part'
  },
  'GET /api/projects/:project_id/statistics': 'reader',
  'GET /api/projects/:project_id/feedback': 'reader',
  'GET /api/projects/:project_id/alerts': 'session',
  'POST /api/projects/:project_id/alerts': { may: 'session', body: { kind: 'webhook', target: 'https://example.org/hook' } },
  'GET /api/alerts/:alert_id': 'session',
  'DELETE /api/alerts/:alert_id': 'session',
  'GET /api/projects/:project_id/feed': 'reader',
  'POST /api/projects/:project_id/feed/seen': { may: 'reader', body: { day: '2026-11-20' } },
  'GET /api/feed': 'reader',
  'POST /api/brief': { may: 'reader', body: {} },
  'GET /api/projects/:project_id/feed/search': { may: 'reader', body: { q: 'sleep' } },
  'GET /api/projects/:project_id/feed/export': { may: 'reader', body: { format: 'ris' } },
  'GET /api/projects/:project_id/atom-url': 'reader',
  'GET /api/papers/:paper_id': 'reader',
  'GET /api/papers/:paper_id/markdown': 'reader',
  'GET /api/papers/:paper_id/citation': { may: 'reader', body: { format: 'text' } },
  'POST /api/papers/:paper_id/pdf': { may: 'reader', body: '%PDF-1.7', type: 'application/pdf' },
  'GET /api/project-papers/:ref': 'reader',
  'PATCH /api/project-papers/:ref': { may: 'reader', body: { saved: true } },
  'GET /api/project-papers/:ref/citation': { may: 'reader', body: { format: 'ris' } },
  'PUT /api/project-papers/:paper_id/feedback': { may: 'reader', body: { vote: 'star' } },
  'DELETE /api/project-papers/:paper_id/feedback': 'reader',
  'GET /api/tags': 'reader',
  'GET /api/search': { may: 'reader', body: { query: 'sleep' } },
  'GET /api/fetch/:id': 'reader',
  'GET /api/jobs': 'reader',
  'GET /api/jobs/:job_id': 'reader',
  'POST /api/jobs/:job_id/retry': 'reader',
  'GET /api/sources': 'reader',

  'GET /api/administration/accounts': 'administrator',
  'POST /api/administration/accounts': { may: 'administrator', body: { email: 'made@example.org' } },
  'PATCH /api/administration/accounts/:account_id': { may: 'administrator', body: { administrator: false } },
  'GET /api/administration/jobs': 'administrator',
  'POST /api/administration/jobs/:job_id/retry': 'administrator',
  'GET /api/administration/service': 'administrator',

  'OPTIONS *': 'anyone',
  'OPTIONS /api/mcp': 'anyone',
  'OPTIONS /api/mcp/': 'anyone',
  '* /api/mcp': 'key',
  '* /api/mcp/': 'key',
  'GET /api/feed/atom/:project_id': 'feed token',

  'GET /healthz': 'anyone',
  'GET /readyz': 'anyone',
  'GET /metrics': 'anyone',
  'GET /api/openapi.json': 'anyone',
  '* /.well-known/*': 'anyone',
  '* /api/mcp/*': 'anyone',
  '* /api/.well-known/*': 'anyone',
  '* /register': 'anyone',
  '* /authorize': 'anyone',
  '* /token': 'anyone',
  '* /oauth/*': 'anyone',

  'GET /assets/:name': 'anyone',
  'GET /*': 'anyone',
  '* /welcome': 'anyone',
  '* /login': 'anyone',
  '* /': 'page',
  '* /add': 'page',
  'GET /feed': 'page',
  'GET /manifest.webmanifest': 'anyone',
  '* /projects/new': 'page',
  '* /projects/:project_id': 'page',
  'GET /projects/:project_id/export': { may: 'page', body: { format: 'ris' } },
  '* /projects/:project_id/settings': 'page',
  '* /projects/:project_id/import': 'page',
  'GET /projects/:project_id/insights': 'page',
  '* /projects/:project_id/alerts': 'page',
  'GET /papers/:paper_id/citation': { may: 'page', body: { format: 'ris' } },
  '* /papers/:paper_id': 'page',
  'GET /papers/:paper_id/markdown': 'page',
  '* /connect': 'page',
  'GET /connect/SKILL.md': 'page',
  '* /account': 'page',
  'GET /account/export': 'page',
  '* /administration/users': 'administration page',
  '* /administration/jobs': 'administration page',
  'GET /administration/service': 'administration page'
}
