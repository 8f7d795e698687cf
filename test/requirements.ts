/** A rule that Litfeed must keep, in our words, and the tests that hold it to it: each a file below test/ and the name of a test in it. */
export interface Requirement {
  rule: string
  tests: ReadonlyArray<readonly [file: string, name: string]>
}

const endpoint = 'adapters/mcp/endpoint.test.ts'
const legacy = 'adapters/mcp/legacy.test.ts'
const modern = 'adapters/mcp/modern.test.ts'
const toolTests = 'adapters/mcp/tools.test.ts'
const search = 'operations/feed-search.test.ts'
const markdown = 'operations/paper-markdown.test.ts'
const papersImport = 'operations/papers-import.test.ts'
const references = 'papers/references.test.ts'
const accounts = 'adapters/rest/accounts.test.ts'
const keys = 'adapters/rest/keys.test.ts'
const routes = 'adapters/rest/routes.test.ts'
const rateLimits = 'adapters/rest/rate-limits.test.ts'
const connect = 'adapters/web/connect.test.ts'
const surface = 'tables.test.ts'

/**
 * Ids that begin with `spec:` are numbered by the sections of the specification of the MCP endpoint: `spec:4.1-rule-2` is rule 2 of section
 * 4.1, and `spec:7-origin` what section 7 says of origins. Ids that begin with a document's name are promises of that document in docs/;
 * `mcp:` are rules of the Model Context Protocol.
 */
export const requirements: Readonly<Record<string, Requirement>> = {
  'spec:1-initialize': {
    rule: 'initialize starts a session with protocolVersion, capabilities and clientInfo',
    tests: [
      [legacy, 'initialize returns the requested revision, or the newest one if unsupported'],
      ['adapters/mcp/clients.test.ts', 'the official clients']
    ]
  },
  'spec:1-tools-list': { rule: 'tools/list lists the tools', tests: [[surface, 'the published surface matches its snapshot']] },
  'spec:1-tools-call': {
    rule: 'tools/call calls a tool by name with arguments',
    tests: [[toolTests, '${operation.name} matches its output schema and its text content']]
  },
  'spec:1-prompts-list': { rule: 'prompts/list lists the prompts', tests: [[surface, 'the published surface matches its snapshot']] },
  'spec:1-prompts-get': {
    rule: 'prompts/get gets a prompt',
    tests: [[toolTests, 'prompts/get names the tools to call and the project to search']]
  },
  'spec:1-request': {
    rule: 'a request is a JSON-RPC 2.0 object with jsonrpc, id, method and params',
    tests: [
      [legacy, 'an invalid request is 400 with -32600 and the id if readable'],
      [legacy, 'invalid JSON is 400 with -32700']
    ]
  },
  'spec:1-content-type': {
    rule: 'requests carry Content-Type: application/json',
    tests: [[endpoint, 'rejects other content types with 415, ignoring parameters and Accept']]
  },

  'spec:2-project-id': {
    rule: 'a project is identified by a UUID',
    tests: [[toolTests, 'invalid arguments are a result with the allowed values']]
  },
  'spec:2-same-shapes': {
    rule: 'projects_list, projects_get, feed_get and feed_search give the shapes of the REST API',
    tests: [[routes, 'returns the same object as the tool']]
  },
  'spec:2-paper-forms': {
    rule: 'paper_id is a UUID or short_id, of the paper or of a feed item',
    tests: [[references, 'may be the ${form}, in any case']]
  },
  'spec:2-short-id': {
    rule: 'a short identifier can be ambiguous',
    tests: [[references, 'of 8 characters shared by several papers is ambiguous and lists them']]
  },
  'spec:2-paper-fields': {
    rule: 'a paper has markdown_ready, reference_label, pdf_url or null, its DOI, and a link to the record in its index',
    tests: [
      [papersImport, 'PubMed records are labeled, linked, and have no PDF'],
      [toolTests, '${operation.name} matches its output schema and its text content']
    ]
  },
  'spec:2-rule-1': {
    rule: 'reference_label is the abbreviation of the biomedical index, a space and the record number',
    tests: [[papersImport, 'PubMed records are labeled, linked, and have no PDF']]
  },
  'spec:2-rule-2': { rule: 'a DOI is a field of its own', tests: [[papersImport, 'PubMed records are labeled, linked, and have no PDF']] },
  'spec:2-rule-3': {
    rule: 'the paper links to its record in the index',
    tests: [[papersImport, 'PubMed records are labeled, linked, and have no PDF']]
  },
  'spec:2-rule-4': {
    rule: 'pdf_url is null unless a source states it',
    tests: [[papersImport, 'PubMed records are labeled, linked, and have no PDF']]
  },
  'spec:2-search-result': {
    rule: 'feed_search gives items, limit, offset, has_more and query, and no total',
    tests: [[search, 'returns exactly items, limit, offset, has_more and query']]
  },
  'spec:2-markdown-ready': {
    rule: 'ready Markdown comes with paper_id, markdown, mime_type and markdown_ready',
    tests: [[markdown, 'a stored text is ready, and paper_get reports it']]
  },
  'spec:2-markdown-queued': {
    rule: 'queued Markdown comes with detail, code, job_id and created',
    tests: [[markdown, 'concurrent requests for one paper queue a single job']]
  },
  'spec:2-markdown-unavailable': {
    rule: 'unavailable Markdown comes with detail and code',
    tests: [[markdown, 'a paper without a full-text source is unavailable, with exactly the specified fields']]
  },
  'spec:2-key': {
    rule: 'a key is svcmcp_<prefix>_<secret>',
    tests: [[keys, 'is rotated: 201, shown once, and the previous key stops within a second']]
  },

  'spec:3-rule-1': {
    rule: 'queued and unavailable are results, not errors',
    tests: [[toolTests, 'a queued or unavailable text is not an error']]
  },
  'spec:3-rule-2': {
    rule: 'paper_get tells with markdown_ready whether the text is ready',
    tests: [[markdown, 'a stored text is ready, and paper_get reports it']]
  },

  'spec:4.1-address': {
    rule: 'POST /api/mcp takes JSON-RPC requests, and so does /api/mcp/?key=',
    tests: [
      [endpoint, 'both addresses respond without a redirect'],
      [endpoint, 'the key is taken from Authorization, X-API-Key and the query']
    ]
  },
  'spec:4.1-tools': {
    rule: 'there are seven tools with these arguments',
    tests: [
      [surface, 'the published surface matches its snapshot'],
      [toolTests, 'invalid arguments are a result with the allowed values']
    ]
  },
  'spec:4.1-feedback-filter': { rule: 'feedback_filter has seven values', tests: [[search, 'filters apply to searches']] },
  'spec:4.1-rule-1': {
    rule: 'tools/call accepts the dotted names',
    tests: [[toolTests, '${dottedName} is the dotted name of ${operation.name}']]
  },
  'spec:4.1-rule-2': {
    rule: 'feed_search searches title, author, abstract and summary of the whole feed',
    tests: [[search, 'searches title, author, abstract and summary']]
  },
  'spec:4.1-rule-3': { rule: 'a term matches the words that it begins', tests: [[search, 'terms match word prefixes']] },
  'spec:4.1-rule-4': {
    rule: 'results are ordered by relevance',
    tests: [[search, 'a title match outranks an abstract match, a whole word the longer word']]
  },
  'spec:4.1-rule-5': {
    rule: 'feed_search gives the fields of section 2',
    tests: [[search, 'returns exactly items, limit, offset, has_more and query']]
  },
  'spec:4.1-rule-6': { rule: 'paper_get gives what the REST API gives', tests: [[routes, 'returns the same object as the tool']] },
  'spec:4.1-rule-7': {
    rule: 'paper_markdown gives the object of section 2',
    tests: [
      [markdown, 'a stored text is ready, and paper_get reports it'],
      [toolTests, '${operation.name} matches its output schema and its text content']
    ]
  },
  'spec:4.1-prompt-arguments': {
    rule: 'feed_title_filter requires project_id and title_keyword, and takes must_read, feedback_filter and limit',
    tests: [[toolTests, 'prompts/get names the tools to call and the project to search']]
  },
  'spec:4.1-prompt-text': {
    rule: 'the prompt tells the model to call feed_search and where the search runs',
    tests: [[toolTests, 'prompts/get names the tools to call and the project to search']]
  },
  'spec:4.2-get': { rule: 'GET /api/auth/mcp-key gives the key', tests: [[keys, 'is shown without its secret']] },
  'spec:4.2-rotate': {
    rule: 'POST /api/auth/mcp-key/rotate replaces the key',
    tests: [[keys, 'is rotated: 201, shown once, and the previous key stops within a second']]
  },
  'spec:4.2-revoke': {
    rule: 'DELETE /api/auth/mcp-key revokes the key',
    tests: [[keys, 'is revoked within a second: 204, also without a key']]
  },

  'spec:5-rule-1': {
    rule: 'the key comes in a header or in the query',
    tests: [[endpoint, 'the key is taken from Authorization, X-API-Key and the query']]
  },
  'spec:5-rule-2': {
    rule: 'clients that accept only an address use the query',
    tests: [['adapters/mcp/clients.test.ts', '${generation}, ${way}']]
  },
  'spec:5-rule-3': {
    rule: 'a missing or invalid key is 401',
    tests: [
      [endpoint, 'a missing key is 401 and says how to send one'],
      [endpoint, 'wrong keys of every kind are the same 401, byte for byte']
    ]
  },
  'spec:5-rule-4': {
    rule: 'key management takes the access token, not the key',
    tests: [[accounts, '/api/auth rejects the MCP key']]
  },
  'spec:5-rule-5': {
    rule: 'the dashboard creates and revokes the key',
    tests: [
      [connect, 'creates a new key, shown once, and revokes the previous one'],
      [connect, 'revokes the key']
    ]
  },
  'spec:5-rule-6': { rule: 'a disallowed origin is 403', tests: [[endpoint, 'a disallowed origin is 403, even with a valid key']] },

  'spec:7-key': {
    rule: 'a missing or invalid key is 401',
    tests: [['security/keys.test.ts', 'keys that are wrong, malformed, replaced or revoked get the same 401, byte for byte']]
  },
  'spec:7-origin': { rule: 'a disallowed origin is 403', tests: [[endpoint, 'a disallowed origin is 403, even with a valid key']] },
  'spec:7-protocol': {
    rule: 'an invalid method or message is a JSON-RPC error',
    tests: [
      [legacy, 'an invalid request is 400 with -32600 and the id if readable'],
      [legacy, 'an unknown method, even an Object.prototype name, is -32601 with HTTP 200']
    ]
  },
  'spec:7-domain': {
    rule: 'a domain error is a result with isError',
    tests: [
      [toolTests, 'a domain error is a result with isError and text only'],
      [search, "another account's project equals a missing one"],
      [references, 'to a missing or foreign paper is paper_not_found'],
      [references, 'of 8 characters shared by several papers is ambiguous and lists them']
    ]
  },
  'spec:7-markdown': {
    rule: 'queued and unavailable Markdown is no error',
    tests: [[toolTests, 'a queued or unavailable text is not an error']]
  },

  'spec:8-limit': { rule: 'limit is 1 to 100', tests: [[toolTests, 'limits are inclusive']] },
  'spec:8-offset': { rule: 'offset is 0 or more', tests: [[toolTests, 'limits are inclusive']] },
  'spec:8-q': {
    rule: 'q has 3 to 200 characters after trimming',
    tests: [[search, 'q has 3 to 200 characters after trimming, and a word']]
  },

  'spec:9-rule-1': {
    rule: 'initialize takes a protocolVersion',
    tests: [[legacy, 'initialize returns the requested revision, or the newest one if unsupported']]
  },
  'spec:9-rule-2': { rule: 'search gives no exact total', tests: [[search, 'returns exactly items, limit, offset, has_more and query']] },
  'spec:9-rule-3': { rule: 'dotted names stay accepted', tests: [[toolTests, '${dottedName} is the dotted name of ${operation.name}']] },

  'api:foreign-project': {
    rule: "another account's project looks like a missing one",
    tests: [['operations/feed-get.test.ts', "another account's project equals a missing one"]]
  },
  'api:since': {
    rule: 'since is inclusive',
    tests: [['operations/feed-get.test.ts', 'since is inclusive, as a date or a date-time with any offset']]
  },
  'api:query-or': {
    rule: 'items with all terms come first, then those with some, and query says so',
    tests: [[search, 'lists full matches, then partial ones with OR in the query']]
  },
  'api:query-syntax': { rule: 'no query is a syntax error', tests: [[search, 'no query syntax causes an error']] },
  'api:pages': { rule: 'pages are stable', tests: [[search, 'pages are stable and complete']] },
  'api:refresh': { rule: 'a refresh token rotates', tests: [[accounts, 'a reused refresh token ends the session']] },
  'api:atom': {
    rule: 'an Atom feed is valid, conditional and private',
    tests: [
      ['adapters/atom/atom.test.ts', 'is valid and has a private address'],
      ['adapters/atom/atom.test.ts', 'returns 304 while unchanged'],
      ['adapters/atom/atom.test.ts', 'is 404 for wrong, foreign and missing tokens, and missing projects']
    ]
  },
  'api:openapi': { rule: 'OpenAPI describes every route', tests: [['server/health.test.ts', '/api/openapi.json describes every route']] },
  'api:import-counts': {
    rule: 'an import counts, completes and rejects',
    tests: [[papersImport, 'counts new, changed, unchanged and rejected records, and imports the others']]
  },
  'api:rate-limit': {
    rule: 'RATE_LIMIT counts per key, refuses tools in-band and REST with 429',
    tests: [
      [rateLimits, 'RATE_LIMIT counts tools and REST together: 429 over REST, in-band over MCP'],
      [rateLimits, 'RATE_LIMIT counts each key on its own, and all sessions of an account together']
    ]
  },
  'self-hosting:registration': {
    rule: 'REGISTRATION decides who may register',
    tests: [[accounts, 'REGISTRATION controls registration']]
  },
  'self-hosting:set-up-token': {
    rule: 'the first account of a reachable host needs the setup token',
    tests: [[accounts, 'on a public host, the first account requires the setup token']]
  },
  'self-hosting:settings': {
    rule: 'invalid settings prevent the start and are all listed',
    tests: [['settings/settings.test.ts', 'list all invalid values in one error, with the allowed values']]
  },
  'self-hosting:commands': {
    rule: 'commands work while the service runs',
    tests: [['cli/cli.test.ts', 'commands work beside a running service, which SIGTERM stops cleanly']]
  },
  'feeds:private-imports': {
    rule: "one account's imported text is never another's",
    tests: [[papersImport, 'imported text is visible only to its account']]
  },
  'feeds:excluded-import': {
    rule: 'an imported paper with an excluded keyword scores 0',
    tests: [[papersImport, 'a paper with an excluded keyword enters with score 0 and the reason']]
  },
  'reliability:key-flood': {
    rule: 'a flood of wrong keys does not starve right ones',
    tests: [[keys, 'a flood of wrong keys does not starve a valid one']]
  },
  'reliability:share-links': {
    rule: 'wrong, expired and revoked share links get the same 404, and a link shows nothing of its owner',
    tests: [
      ['adapters/atom/atom.test.ts', 'end all alike: wrong, malformed, expired, revoked, and of a disabled account'],
      ['adapters/atom/atom.test.ts', 'show the papers to anyone, and nothing of their owner']
    ]
  },
  'reliability:zotero': {
    rule: 'syncs with Zotero make no doubles in either direction, also after failures',
    tests: [
      ['operations/zotero.test.ts', 'both directions make no doubles, however often they run'],
      ['operations/zotero.test.ts', 'a sync that stopped continues without doubles']
    ]
  },
  'reliability:secrets': {
    rule: 'secrets appear in no log',
    tests: [['server/logging.test.ts', 'logs no key, token or password on any path']]
  },

  'mcp:batches': { rule: 'batches exist in one revision', tests: [[legacy, 'a batch is accepted in revisions that support it']] },
  'mcp:headers': {
    rule: 'headers repeat the body in the modern era',
    tests: [[modern, 'a missing or mismatched header is 400 with -32020']]
  },
  'mcp:output-schema': {
    rule: 'structuredContent keeps to outputSchema',
    tests: [[toolTests, '${operation.name} matches its output schema and its text content']]
  }
}

/** How many numbered rules each section of the specification has; those that say "not shown" state none. */
export const numberedRules: Readonly<Record<string, number>> = { 2: 4, 3: 2, 4.1: 7, 5: 6, 9: 3 }
