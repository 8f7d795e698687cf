import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import * as errors from '../../src/errors/operation-errors.js'
import { packageRoot } from '../../src/settings/version.js'

const folders = ['src/operations', 'src/imports', 'src/papers', 'src/sources']
const classes = new Set(Object.keys(errors))
/** A route, or the name of an argument such as project_id. */
const developerText = /\/api\/|\b[a-z]+(?:_[a-z]+)+\b/

/** Errors of a file whose message is for developers and that have no other for pages, as "line: message". */
function unexplainedErrors (path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const constants = new Map<string, ts.Expression>()
  const found: string[] = []
  const collect = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      constants.set(node.name.text, node.initializer)
    }
    ts.forEachChild(node, collect)
  }
  /** The written parts of an expression, also where constants of the file hold them. */
  const textOf = (node: ts.Node, seen: readonly string[] = []): string => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) return node.text
    if (ts.isIdentifier(node) && constants.has(node.text) && !seen.includes(node.text)) {
      const value = constants.get(node.text)!
      return ts.isFunctionLike(value) ? '' : textOf(value, [...seen, node.text])
    }
    return node.getChildren().map(child => textOf(child, seen)).join(' ')
  }
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && classes.has(node.expression.text)) {
      const [message, details] = node.arguments ?? []
      const written = message === undefined ? '' : textOf(message)
      const hasUserMessage = details !== undefined && /\b(?:userMessage|invalid)\b/.test(details.getText())
      if (developerText.test(written) && !hasUserMessage) {
        found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${written.trim()}`)
      }
    }
    ts.forEachChild(node, visit)
  }
  collect(file)
  visit(file)
  return found
}

t.test('errors that name a route or an argument have a message for pages', async t => {
  const root = packageRoot.pathname
  const found = folders.flatMap(folder => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name))
    .flatMap(name => unexplainedErrors(join(folder, name), readFileSync(join(root, folder, name), 'utf8'))))
  t.strictSame(found, [])
})

t.test('such errors are found', async t => {
  const errorsIn = (text: string) => unexplainedErrors('a.ts', text).length
  t.equal(errorsIn("throw new NotFound('GET /api/jobs lists them.')"), 1)
  t.equal(errorsIn("const next = 'Send paper_id.'; throw new InvalidArguments('The id is wrong. ' + next)"), 1)
  t.equal(errorsIn("throw new NotFound('GET /api/jobs lists them.', { userMessage: 'This job ended.' })"), 0)
  t.equal(errorsIn("throw new NotFound('This job ended.')"), 0)
})
