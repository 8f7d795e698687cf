import { dirname, relative, resolve } from 'node:path'
import globals from 'globals'
import neostandard from 'neostandard'

const root = import.meta.dirname

/**
 * The layers of docs/architecture.md, lowest first. A file imports from its own folder and from lower layers; folders in one layer do not
 * import each other. The longest folder that holds a file decides its layer.
 */
const layers = [
  ['schemas'],
  ['db'],
  ['src/files', 'src/latex', 'src/observability', 'src/settings'],
  ['src/errors', 'src/http', 'src/threads'],
  ['src/input'],
  ['src/search'],
  ['src/papers'],
  ['src/accounts', 'src/alerts', 'src/backups', 'src/fulltext', 'src/jobs', 'src/relevance', 'src/sources', 'src/zotero'],
  ['src/imports'],
  ['src/operations'],
  ['src/server'],
  ['src/adapters/atom', 'src/adapters/jobs', 'src/adapters/mcp', 'src/adapters/rest', 'src/adapters/web'],
  ['src/composition'],
  ['src'],
  ['src/cli']
]
const operations = layers.findIndex(layer => layer.includes('src/operations'))
const folders = layers.flatMap((names, level) => names.map(folder => ({ folder, level })))

/** The layer of a file, as a path from the root; undefined outside of the layers. */
const layerOf = file => folders
  .filter(({ folder }) => file.startsWith(`${folder}/`))
  .sort((a, b) => b.folder.length - a.folder.length)[0]

/** Reports imports that point up or sideways, files of `src` in no layer, and web frameworks below the server. */
const layersRule = {
  meta: { type: 'problem', schema: [] },
  create (context) {
    const file = relative(root, context.filename).replaceAll('\\', '/')
    const own = layerOf(file)
    if (own === undefined) return {}
    const check = node => {
      const name = node.source?.value
      if (typeof name !== 'string') return
      if (!name.startsWith('.')) {
        if (own.level <= operations && /^(fastify|fastify-plugin|@fastify\/.*)$/.test(name)) {
          context.report({ node, message: 'Only the server and the adapters know the web framework.' })
        }
        return
      }
      const target = layerOf(relative(root, resolve(dirname(context.filename), name)).replaceAll('\\', '/'))
      if (target === undefined) context.report({ node, message: 'Production code imports production code alone.' })
      else if (target.folder !== own.folder && target.level >= own.level) {
        context.report({ node, message: `${own.folder} must not import ${target.folder}: imports point down only (docs/architecture.md).` })
      }
    }
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check }
  }
}

/**
 * Reports uses of the database inside the callback of a transaction. The embedded database serves one transaction at a time, so a query
 * beside it would wait for its end, and it for the query.
 */
const transactionsRule = {
  meta: { type: 'problem', schema: [] },
  create (context) {
    const callbacks = []
    const isCallback = ({ parent, params: [parameter] }) => parent.type === 'CallExpression' && parameter?.name === 'transaction'
    const enter = node => { if (isCallback(node)) callbacks.push(node) }
    const leave = node => { if (callbacks.at(-1) === node) callbacks.pop() }
    return {
      ArrowFunctionExpression: enter,
      FunctionExpression: enter,
      'ArrowFunctionExpression:exit': leave,
      'FunctionExpression:exit': leave,
      Identifier (node) {
        const isKey = node.parent.type === 'Property' && node.parent.key === node && node.parent.value !== node
        if (callbacks.length > 0 && node.name === 'db' && !isKey) {
          context.report({ node, message: 'Use the transaction: a query beside it would wait for its end (docs/architecture.md).' })
        }
      }
    }
  }
}

export default [
  ...neostandard({
    ts: true,
    ignores: ['dist', 'data', 'coverage', 'tap-snapshots', '.tap', 'conformance/node_modules', 'clients/node_modules']
  }),
  {
    rules: {
      '@typescript-eslint/no-redeclare': 'off',
      camelcase: 'off',
      // Records and documents bring control characters; the expressions that name them are meant.
      'no-control-regex': 'off',
      // The line that names an interpreter cannot be broken.
      '@stylistic/max-len': ['error', {
        code: 140, ignoreRegExpLiterals: true, ignoreTemplateLiterals: true, ignoreUrls: true, ignorePattern: '^#!'
      }]
    }
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx', 'db/**/*.ts', 'schemas/**/*.ts'],
    plugins: { litfeed: { rules: { layers: layersRule, transactions: transactionsRule } } },
    rules: {
      'litfeed/layers': 'error',
      'litfeed/transactions': 'error',
      'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'Only src/settings reads the environment.' }]
    }
  },
  { files: ['src/settings/settings.ts'], rules: { 'no-restricted-properties': 'off' } },
  // Names of tests are given as their source has them.
  { files: ['test/requirements.ts'], rules: { 'no-template-curly-in-string': 'off' } },
  { files: ['src/adapters/web/public/**/*.js', 'src/adapters/mcp/card/*.js'], languageOptions: { globals: globals.browser } },
  // The service worker is a template, which the server fills.
  { files: ['src/adapters/web/public/service-worker.js'], languageOptions: { sourceType: 'script' } }
]
