import t from 'tap'
import { ESLint } from 'eslint'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../src/settings/version.js'

const eslint = new ESLint({ cwd: fileURLToPath(packageRoot) })

/** @returns what the project's own rules say about a file, as "rule: message" */
async function report (filePath: string, lines: readonly string[]): Promise<string[]> {
  const [result] = await eslint.lintText(`${lines.join('\n')}\n`, { filePath })
  return result!.messages
    .filter(({ ruleId, fatal }) => fatal === true || ruleId?.startsWith('litfeed/') === true)
    .map(({ ruleId, message }) => `${ruleId}: ${message}`)
}

t.test('a file imports from its own folder and lower layers alone', async t => {
  const importing = async (file: string, from: string) => await report(file, [`import { x } from '${from}'`, 'x()'])
  t.strictSame(await importing('src/papers/example.ts', './other.js'), [])
  t.strictSame(await importing('src/papers/example.ts', '../../schemas/paper.js'), [])
  t.match(await importing('src/papers/example.ts', '../operations/context.js'), [/src\/papers must not import src\/operations/])
  t.match(await importing('src/relevance/example.ts', '../fulltext/index.js'), [/src\/relevance must not import src\/fulltext/])
  t.match(await importing('src/papers/example.ts', '../../test/support/service.js'), [/Production code imports production code alone/])
  t.match(await importing('src/operations/example.ts', 'fastify'), [/Only the server and the adapters know the web framework/])
  t.strictSame(await importing('src/adapters/rest/example.ts', 'fastify'), [])
  t.match(
    await report('src/papers/example.ts', ['export { x } from \'../operations/context.js\'', 'await import(\'../cli/program.js\')']),
    [/src\/operations/, /src\/cli/]
  )
})

t.test('queries inside the callback of a transaction use the transaction', async t => {
  const inTransaction = async (...lines: string[]) => await report('db/queries/example.ts', [
    'export const change = async (db: any) => await db.transaction().execute(async (transaction: any) => {', ...lines, '})'
  ])
  t.strictSame(await inTransaction('await transaction.deleteFrom(\'paper\').execute()', 'return { db: transaction }'), [])
  t.match(await inTransaction('await db.deleteFrom(\'paper\').execute()'), [/^litfeed\/transactions: Use the transaction/])
  t.match(await inTransaction('await Promise.all([1].map(async () => await count(db)))'), [/Use the transaction/])
  t.match(await inTransaction('return { db }'), [/Use the transaction/])
})
