import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { maxPageBytes, measuredBytes } from './record-bytes.js'

/** An item that a statement reads, its place, and at the first place what the next statements read; null: nothing. */
interface SizedItem {
  id: string
  place: number
  further: Array<[statement: number, id: string]> | null
}

/** Rows that are read by their ids, with `project_paper` as well if they are items. */
const joins = {
  items: sql`join project_paper on project_paper.id = listed.id join paper on paper.id = project_paper.paper_id`,
  papers: sql`join paper on paper.id = coalesce((select alias.paper_id from paper_alias alias where alias.id = listed.id), listed.id)`
}

/** The first of these items that meet a condition, with about a megabyte of records, as a FROM clause. */
const firstItems = (ids: RawBuilder<unknown>, condition: Expression<SqlBool>, kind: keyof typeof joins) => sql<SizedItem>`(
    select id, place, case when place = 1 then further end as further from (
      select sized.*, jsonb_agg(jsonb_build_array(ceil(bytes::numeric / ${sql.lit(maxPageBytes)})::integer, id))
        filter (where place > 1 and bytes > ${sql.lit(maxPageBytes)})
        over (order by place rows between unbounded preceding and unbounded following) as further
      from (
        select listed.id, row_number() over (order by listed.place) as place,
          sum(${measuredBytes}) over (order by listed.place) as bytes
        from unnest(${ids}) with ordinality as listed (id, place) ${joins[kind]} where ${condition}
      ) sized
    ) sized where place = 1 or bytes <= ${sql.lit(maxPageBytes)}
  )`.as('page')

/** The items that a statement reads, as a FROM clause. */
export type SizedItems = ReturnType<typeof firstItems>

/** Items whose sizes are known, or do not matter, as the same clause. */
export const givenItems = (ids: readonly string[]) => sql<SizedItem>`(
    select id, place, null::jsonb as further from unnest(${[...ids]}::uuid[]) with ordinality as listed (id, place)
  )`.as('page')

/**
 * Reads items with about a megabyte of records in a statement: one of most pages, while a hundred records of large collaborations have
 * forty. Their sizes are determined once, which decompresses them.
 * @param ids an array, as SQL
 * @param condition of `project_paper` and `paper` that the items must meet
 * @param read joins the items of one statement as `page`, and reads them in the order of their places
 * @param kind papers may have former ids; their conditions are of `paper` alone
 * @returns the items of one statement after another
 */
export async function * walkSized<Item extends Pick<SizedItem, 'further'>> (
  ids: RawBuilder<unknown>,
  condition: Expression<SqlBool>,
  read: (page: SizedItems) => Promise<Item[]>,
  kind: keyof typeof joins = 'items'
): AsyncGenerator<Array<Omit<Item, 'further'>>, void> {
  const first = await read(firstItems(ids, condition, kind))
  if (first.length === 0) return
  const statements = new Map<number, string[]>()
  for (const [statement, id] of first[0]!.further ?? []) statements.set(statement, [...statements.get(statement) ?? [], id])
  yield first.map(withoutFurther)
  for (const ids of statements.values()) yield (await read(givenItems(ids))).map(withoutFurther)
}

const withoutFurther = <Item extends object>({ further: _, ...item }: Item & Pick<SizedItem, 'further'>) => item

/** Reads all of the items that `walkSized` walks. */
export const readSized = <Item extends Pick<SizedItem, 'further'>>(
  ...items: Parameters<typeof walkSized<Item>>
): Promise<Array<Omit<Item, 'further'>>> => collectBatches(walkSized(...items))

/** Reads all batches. */
export async function collectBatches<Item> (batches: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const items: Item[] = []
  for await (const batch of batches) items.push(...batch)
  return items
}
