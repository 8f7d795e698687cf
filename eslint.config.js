import globals from 'globals'
import neostandard from 'neostandard'

/** The floors of docs/architecture.md, lowest first; a folder may import from lower floors only, never from one beside it. */
const floors = [
  ['schemas'],
  ['db', 'src/outside'],
  ['src/accounts', 'src/alerts', 'src/citations', 'src/sources', 'src/fulltext', 'src/relevance'],
  ['src/operations'],
  ['src/plugins'],
  ['src/mcp', 'src/rest', 'src/feeds', 'src/web', 'src/jobs', 'src/cli']
]
const faces = floors.length - 1
const operations = 3
const last = folder => folder.split('/').at(-1)

const pointDown = floors.flatMap((floor, level) => floor.map(folder => {
  const banned = [...floors.slice(level + 1).flat(), ...floor.filter(beside => beside !== folder)]
  if (level === faces) banned.push('db', ...floors[2])
  const group = [...banned.map(each => `**/${last(each)}/**`), ...(level <= operations ? ['fastify', '@fastify/*', 'fastify-plugin'] : [])]
  return {
    files: [`${folder}/**/*.ts`, `${folder}/**/*.tsx`],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message: 'Imports point down only: see docs/architecture.md.' }] }] }
  }
}))

export default [
  ...neostandard({ ts: true, ignores: ['dist', 'data', 'tap-snapshots', '.tap', 'conformance/node_modules'] }),
  { rules: { '@typescript-eslint/no-redeclare': 'off', camelcase: 'off' } },
  { files: ['src/**/*.ts', 'src/**/*.tsx', 'db/**/*.ts', 'schemas/**/*.ts'], rules: { 'no-restricted-properties': ['error', { object: 'process', property: 'env', message: 'Only src/settings reads the environment.' }] } },
  { files: ['src/settings.ts'], rules: { 'no-restricted-properties': 'off' } },
  { files: ['src/web/public/*.js'], languageOptions: { globals: globals.browser } },
  ...pointDown
]
