import { CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely'
import type { Db } from '../../db/connection.js'

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/**
 * A statement with the most rows that a step of its plan passed on or dropped: of all steps, and of those that read tables. `tables` has
 * the table of each step that reads one.
 */
export interface Statement { sql: string, rows: number, rowsFetched: number, tables: string[] }

/**
 * Runs work, then explains each select that it sent, with the settings that it made before it. @param work gets a database that records
 * them
 */
export const explainSelects = async (db: Db, work: (recorded: Db) => Promise<unknown>): Promise<Statement[]> =>
  await explain(db, /^\s*(select|with)\b/i, work)

/** Runs work, then runs and explains each update that it sent. @param work gets a database that records them */
export const explainUpdates = async (db: Db, work: (recorded: Db) => Promise<unknown>): Promise<Statement[]> =>
  await explain(db, /^\s*update\b/i, work)

/** Runs work, then runs and explains each insert that it sent. @param work gets a database that records them */
export const explainInserts = async (db: Db, work: (recorded: Db) => Promise<unknown>): Promise<Statement[]> =>
  await explain(db, /^\s*insert\b/i, work)

/** Runs work, then runs and explains each delete that it sent. @param work gets a database that records them */
export const explainDeletes = async (db: Db, work: (recorded: Db) => Promise<unknown>): Promise<Statement[]> =>
  await explain(db, /^\s*delete\b/i, work)

async function explain (db: Db, explained: RegExp, work: (recorded: Db) => Promise<unknown>): Promise<Statement[]> {
  const compiled = new Map<object, RootOperationNode>()
  const nodes: RootOperationNode[] = []
  const plugin: KyselyPlugin = {
    transformQuery ({ node, queryId }) {
      compiled.set(queryId, node)
      return node
    },
    // Parts of queries are transformed, too, and never run.
    async transformResult ({ result, queryId }) {
      nodes.push(compiled.get(queryId)!)
      return result
    }
  }
  await work(db.withPlugin(plugin))
  return await db.transaction().execute(async transaction => {
    const statements: Statement[] = []
    for (const node of nodes) {
      const { sql, parameters } = db.getExecutor().compileQuery(node, { queryId: `${statements.length}` })
      if (sql.includes('set_config(')) await transaction.executeQuery(CompiledQuery.raw(sql, [...parameters]))
      else if (explained.test(sql)) {
        const query = CompiledQuery.raw(`explain (analyze, format json) ${sql}`, [...parameters])
        const { rows } = await transaction.executeQuery<{ 'QUERY PLAN': Array<{ Plan: PlanNode }> }>(query)
        const steps = stepsOf(rows[0]!['QUERY PLAN'][0]!.Plan)
        const fetching = steps.filter(step => !/Index Only Scan|Limit|Result|Subquery Scan/.test(step['Node Type']))
        const tables = steps.flatMap(step => step['Relation Name'] ?? [])
        statements.push({ sql, rows: mostRows(steps), rowsFetched: mostRows(fetching), tables })
      }
    }
    return statements
  })
}

const stepsOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(stepsOf)]
const mostRows = (steps: readonly PlanNode[]): number =>
  Math.max(0, ...steps.map(step => (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops']))
