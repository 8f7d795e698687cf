/* eslint no-template-curly-in-string: "off" -- names of tests stand here as they are written */
/** A rule of the specification or the contract, and the test that holds the service to it. */
export interface Requirement {
  source: string
  rule: string
  /** File below test/, and the name of the test. */
  test: [file: string, name: string]
}

const spec = (section: string) => `literature-feed-mcp, section ${section}`
const contract = (section: string) => `contract, section ${section}`
const protocol = 'Model Context Protocol'

export const requirements: readonly Requirement[] = [
  { source: spec('1'), rule: 'every method of the specification is served', test: ['adapters/mcp/clients.test.ts', 'the official clients'] },
  { source: spec('2'), rule: 'a paper is addressed by four forms', test: ['papers/references.test.ts', 'may be the ${form}, in any case'] },
  { source: spec('2'), rule: 'a short identifier can be ambiguous', test: ['papers/references.test.ts', 'of 8 characters that several papers share is ambiguous, and the message lists them'] },
  { source: spec('2'), rule: 'records of a biomedical index are labelled and linked, and state no PDF', test: ['operations/papers-import.test.ts', 'PubMed records are labelled, linked, and have no PDF'] },
  { source: spec('2'), rule: 'feed_search gives five fields and no total', test: ['operations/feed-search.test.ts', 'gives exactly items, limit, offset, has_more and query'] },
  { source: spec('2'), rule: 'a Markdown result is ready', test: ['operations/paper-markdown.test.ts', 'a stored text is ready, and paper_get says so'] },
  { source: spec('2'), rule: 'a Markdown result is queued', test: ['operations/paper-markdown.test.ts', 'one with a source is queued once, however many ask at the same time'] },
  { source: spec('2'), rule: 'a Markdown result is unavailable', test: ['operations/paper-markdown.test.ts', 'a paper without a source of full text is unavailable, with exactly these fields'] },
  { source: spec('4.1'), rule: 'the endpoint answers at both addresses', test: ['adapters/mcp/endpoint.test.ts', 'both addresses answer, without a redirect'] },
  { source: spec('4.1, rule 1'), rule: 'dotted names are accepted in tools/call', test: ['adapters/mcp/tools.test.ts', '${alias} is ${operation.name}'] },
  { source: spec('4.1, rule 2'), rule: 'search covers title, author, abstract and summary', test: ['operations/feed-search.test.ts', 'searches title, author, abstract and summary'] },
  { source: spec('4.1, rule 3'), rule: 'a term is a prefix', test: ['operations/feed-search.test.ts', 'a term is a word prefix'] },
  { source: spec('4.1, rule 4'), rule: 'search is rank-first', test: ['operations/feed-search.test.ts', 'a title match outranks an abstract match, a whole word the longer word'] },
  { source: spec('4.1, rule 6'), rule: 'a tool gives what the API gives', test: ['adapters/rest/routes.test.ts', 'gives the same object as the tool'] },
  { source: spec('4.1, Prompt'), rule: 'the prompt names feed_search and where it runs', test: ['adapters/mcp/tools.test.ts', 'prompts/get tells the model what to call, and where the search runs'] },
  { source: spec('4.2'), rule: 'the key is rotated', test: ['adapters/rest/keys.test.ts', 'is rotated: 201, shown once, and the earlier one stops within a second'] },
  { source: spec('4.2'), rule: 'the key is revoked', test: ['adapters/rest/keys.test.ts', 'is revoked: 204, also when there is none, and stops within a second'] },
  { source: spec('4.2'), rule: 'key management takes the access token, not the key', test: ['adapters/rest/accounts.test.ts', 'the MCP key is no way into /api/auth'] },
  { source: spec('5'), rule: 'the key comes in a header or in the query', test: ['adapters/mcp/endpoint.test.ts', 'the key is taken from Authorization, X-API-Key and the query'] },
  { source: spec('5, rule 3'), rule: 'a missing key is 401', test: ['adapters/mcp/endpoint.test.ts', 'a missing key is 401 and says how to send one'] },
  { source: spec('5, rule 3'), rule: 'an invalid key is 401', test: ['adapters/mcp/endpoint.test.ts', 'wrong keys of every kind are the same 401, byte for byte'] },
  { source: spec('5, rule 6'), rule: 'a disallowed origin is 403', test: ['adapters/mcp/endpoint.test.ts', 'an origin that is not allowed is 403, even with a right key'] },
  { source: spec('7'), rule: 'a domain error is a result with isError', test: ['adapters/mcp/tools.test.ts', 'a domain error is a result with isError and text alone'] },
  { source: spec('7'), rule: 'an invalid method or shape is a JSON-RPC error', test: ['adapters/mcp/legacy.test.ts', 'the wrong shape is 400 with -32600, with the id where it could be read'] },
  { source: spec('8'), rule: 'q has 3 to 200 characters', test: ['operations/feed-search.test.ts', 'q has 3 to 200 characters after trimming, and a word'] },
  { source: spec('8'), rule: 'limit and offset have bounds', test: ['adapters/mcp/tools.test.ts', 'arguments that do not fit are a result too, and name what is allowed'] },
  { source: contract('1'), rule: 'another account\'s project looks like a missing one', test: ['operations/feed-get.test.ts', 'another account\\\'s project looks exactly like a missing one'] },
  { source: contract('3'), rule: 'since is inclusive', test: ['operations/feed-get.test.ts', 'since is inclusive, as a date or a date-time with any offset'] },
  { source: contract('3'), rule: 'all terms first, then some, and the query says so', test: ['operations/feed-search.test.ts', 'items with every term come first, then those with some, and the query says OR'] },
  { source: contract('3'), rule: 'no query syntax causes an error', test: ['operations/feed-search.test.ts', 'no query syntax causes an error'] },
  { source: contract('3'), rule: 'pages are stable', test: ['operations/feed-search.test.ts', 'pages are stable and complete'] },
  { source: contract('4'), rule: 'a refresh token rotates', test: ['adapters/rest/accounts.test.ts', 'a refresh token works once; used again, it ends the session'] },
  { source: contract('4'), rule: 'registration follows REGISTRATION', test: ['adapters/rest/accounts.test.ts', 'REGISTRATION decides who may register'] },
  { source: contract('4'), rule: 'a flood of wrong keys does not starve right ones', test: ['adapters/rest/keys.test.ts', 'a flood of wrong keys does not starve a right one'] },
  { source: contract('4'), rule: 'secrets appear in no log', test: ['server/logging.test.ts', 'no key, token or password reaches a log, on any path'] },
  { source: contract('4'), rule: 'Atom is valid, conditional and private', test: ['adapters/atom/atom.test.ts', 'is 404 for a wrong token, another user\\\'s, a missing project and none at all'] },
  { source: contract('5'), rule: 'OpenAPI describes every route', test: ['server/health.test.ts', '/api/openapi.json describes every route'] },
  { source: contract('6'), rule: 'import counts, completes and rejects', test: ['operations/papers-import.test.ts', 'counts what is new, changed, the same and rejected, and the rest goes on'] },
  { source: contract('6'), rule: 'commands work while the service runs', test: ['cli/cli.test.ts', 'commands work beside a running service, which SIGTERM ends well'] },
  { source: contract('6'), rule: 'wrong settings stop the start, all named', test: ['settings/settings.test.ts', 'are all named at once when they are wrong, with what is allowed'] },
  { source: contract('7'), rule: 'one user\'s imported text is never another\'s', test: ['operations/papers-import.test.ts', 'one user\\\'s text is never another\\\'s'] },
  { source: contract('7'), rule: 'an imported paper with an excluded keyword scores 0', test: ['operations/papers-import.test.ts', 'an excluded keyword scores 0 with the reason, and the paper enters all the same'] },
  { source: contract('7'), rule: 'the first account of a reachable host needs the set-up token', test: ['adapters/rest/accounts.test.ts', 'on a host that others can reach, the first account needs the set-up token'] },
  { source: contract('7'), rule: 'in-band limits apply to tools', test: ['adapters/rest/routes.test.ts', 'RATE_LIMIT counts tools and REST together: 429 over REST, in-band over MCP'] },
  { source: protocol, rule: 'batches exist in one revision', test: ['adapters/mcp/legacy.test.ts', 'a batch is answered where the revision has it'] },
  { source: protocol, rule: 'headers must repeat the body in the modern era', test: ['adapters/mcp/modern.test.ts', 'a header that is missing or differs from the body is 400 with -32020'] },
  { source: protocol, rule: 'structuredContent keeps to outputSchema', test: ['adapters/mcp/tools.test.ts', '${operation.name} keeps to its output schema, and says the same as text'] }
]
