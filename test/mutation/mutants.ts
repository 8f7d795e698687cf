import ts from 'typescript'

/** A change of a program that its tests should notice. Positions are offsets in the compiled file. */
export interface Mutant {
  mutator: string
  start: number
  end: number
  original: string
  replacement: string
}

const swappedOperators: ReadonlyMap<ts.SyntaxKind, ReadonlyArray<readonly [mutator: string, replacement: string]>> = new Map([
  [ts.SyntaxKind.LessThanToken, [['boundary', '<='], ['negation', '>=']]],
  [ts.SyntaxKind.LessThanEqualsToken, [['boundary', '<'], ['negation', '>']]],
  [ts.SyntaxKind.GreaterThanToken, [['boundary', '>='], ['negation', '<=']]],
  [ts.SyntaxKind.GreaterThanEqualsToken, [['boundary', '>'], ['negation', '<']]],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, [['negation', '!==']]],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, [['negation', '===']]],
  [ts.SyntaxKind.PlusToken, [['arithmetic', '-']]],
  [ts.SyntaxKind.MinusToken, [['arithmetic', '+']]],
  [ts.SyntaxKind.AsteriskToken, [['arithmetic', '/']]],
  [ts.SyntaxKind.SlashToken, [['arithmetic', '*']]],
  [ts.SyntaxKind.PercentToken, [['arithmetic', '*']]],
  [ts.SyntaxKind.AsteriskAsteriskToken, [['arithmetic', '*']]],
  [ts.SyntaxKind.AmpersandAmpersandToken, [['logical', '||']]],
  [ts.SyntaxKind.BarBarToken, [['logical', '&&']]],
  [ts.SyntaxKind.QuestionQuestionToken, [['logical', '&&']]],
  [ts.SyntaxKind.PlusEqualsToken, [['arithmetic', '-=']]],
  [ts.SyntaxKind.MinusEqualsToken, [['arithmetic', '+=']]]
])

const swappedMethods: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  find: 'findLast',
  findLast: 'find'
}

/** Every mutant of a compiled file, in the order of the file. */
export function mutantsOf (text: string): Mutant[] {
  const source = ts.createSourceFile('file.js', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)
  const mutants: Mutant[] = []
  const add = (mutator: string, node: ts.Node, replacement: string) => {
    const [start, end] = [node.getStart(source), node.getEnd()]
    mutants.push({ mutator, start, end, original: text.slice(start, end), replacement })
  }

  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isBinaryExpression(node)) {
      for (const [mutator, replacement] of swappedOperators.get(node.operatorToken.kind) ?? []) {
        add(mutator, node.operatorToken, replacement)
      }
    }
    if (ts.isIfStatement(node) || ts.isWhileStatement(node)) conditions(node.expression, ts.isIfStatement(node))
    if (ts.isConditionalExpression(node)) conditions(node.condition, true)
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      add('negation', node, `(${node.operand.getText(source)})`)
    }
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
      add('arithmetic', node, node.operand.getText(source))
    }
    if ((ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) && node.operator === ts.SyntaxKind.PlusPlusToken) {
      add('arithmetic', node, node.getText(source).replace('++', '--'))
    }
    if (node.kind === ts.SyntaxKind.TrueKeyword) add('boolean', node, 'false')
    if (node.kind === ts.SyntaxKind.FalseKeyword) add('boolean', node, 'true')
    if (ts.isNumericLiteral(node)) add('number', node, node.text === '0' ? '1' : `(${node.getText(source)} + 1)`)
    if (isText(node)) add('string', node, node.text === '' ? "'mutant'" : "''")
    if (ts.isTemplateExpression(node)) add('string', node, '``')
    if (ts.isRegularExpressionLiteral(node)) anchors(node)
    if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !ts.isBinaryExpression(node.parent)) add('literal', node, '[]')
    if (ts.isPropertyAccessExpression(node) && node.questionDotToken !== undefined) add('optional', node.questionDotToken, '.')
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text in swappedMethods) {
      add('method', node.expression.name, swappedMethods[node.expression.name.text]!)
    }
    if (ts.isExpressionStatement(node) && !isSuperCall(node)) add('statement', node, ';')
    if (ts.isThrowStatement(node)) add('statement', node, ';')
    if (ts.isReturnStatement(node) && node.expression !== undefined) add('return', node, 'return undefined;')
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) add('return', node.body, 'undefined')
    ts.forEachChild(node, visit)
  }

  const conditions = (node: ts.Expression, also: boolean) => {
    add('condition', node, 'false')
    if (also) add('condition', node, 'true')
  }

  const anchors = (node: ts.RegularExpressionLiteral) => {
    const [, pattern, flags] = /^\/(.*)\/([a-z]*)$/s.exec(node.text)!
    if (pattern!.startsWith('^')) add('regexp', node, `/${pattern!.slice(1)}/${flags}`)
    if (/[^\\]\$$/.test(pattern!)) add('regexp', node, `/${pattern!.slice(0, -1)}/${flags}`)
  }

  visit(source)
  return mutants
}

/** A text that the program uses, other than the name of a property. */
function isText (node: ts.Node): node is ts.StringLiteral | ts.NoSubstitutionTemplateLiteral {
  return (
    (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) &&
    !(ts.isPropertyAssignment(node.parent) && node.parent.name === node)
  )
}

const isSuperCall = (node: ts.ExpressionStatement): boolean =>
  ts.isCallExpression(node.expression) && node.expression.expression.kind === ts.SyntaxKind.SuperKeyword
