export interface Area {
  name: string
  /** Compiled files below dist/, or folders of them. */
  files: readonly string[]
  /** Test files below dist/test/, or folders of them: those that should notice a mutant. */
  tests: readonly string[]
}

export const areas: readonly Area[] = [
  {
    name: 'envelope',
    files: ['src/adapters/mcp/envelope.js', 'src/adapters/mcp/dispatch.js', 'src/adapters/mcp/errors.js', 'src/adapters/mcp/eras'],
    tests: ['adapters/mcp/legacy.test.js', 'adapters/mcp/modern.test.js', 'adapters/mcp/endpoint.test.js', 'adapters/mcp/tools.test.js']
  },
  {
    name: 'auth',
    files: [
      'access-tokens', 'argon2', 'authenticate', 'browser-session', 'csrf-tokens', 'feed-tokens', 'keys', 'login-throttle', 'passwords',
      'random', 'secrets', 'session-tokens'
    ]
      .map(name => `src/accounts/${name}.js`)
      .concat('src/server/authentication.js'),
    tests: [
      'accounts', 'adapters/rest/keys.test.js', 'adapters/rest/accounts.test.js', 'adapters/rest/sessions.test.js',
      'adapters/web/sessions.test.js', 'adapters/atom', 'security/sessions.test.js', 'security/limits.test.js',
      'server/authentication.test.js', 'server/logging.test.js'
    ]
  },
  { name: 'http', files: ['src/http'], tests: ['http'] },
  {
    name: 'search',
    files: ['ranking', 'query-expansion', 'query-plan', 'term-scorer', 'top-documents', 'totals'].map(name => `src/search/${name}.js`),
    // The other tests of search take minutes, and reach the same lines through a database.
    tests: ['search/ranking.test.js', 'search/query-expansion.test.js', 'operations/feed-search.test.js']
  },
  {
    name: 'papers',
    files: ['identity', 'identifiers', 'merge', 'paper-index', 'dedupe'].map(name => `src/papers/${name}.js`),
    tests: ['papers', 'operations/papers-import.test.js', 'operations/imported-duplicates.test.js', 'operations/project-fetch.test.js']
  }
]
