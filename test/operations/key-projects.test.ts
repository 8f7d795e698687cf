import t from 'tap'
import { sql } from 'kysely'
import { maxKeyProjects, maxKeys } from '../../schemas/key.js'
import { keyCreate } from '../../src/operations/keys/key-create.js'
import { keysList } from '../../src/operations/keys/keys-list.js'
import { projectWith, testService } from '../support/service.js'

t.test('the keys of an account name a bounded number of projects', async t => {
  const service = await testService(t)
  const { context } = await service.user()
  const other = await service.user()
  const project_id = await projectWith({ ...other, context }, [])
  const { db } = service.context
  /** Keys that name all but one of the projects that keys may name, and as many keys as an account may have but four. */
  await sql`
    insert into mcp_key (account_id, name, prefix, scope, project_ids, secret_hash, secret_check, created_at)
    select ${context.account.id}, 'Key ' || n, 'prefix' || n, 'read',
      case when n <= 10 then (select array_agg(gen_random_uuid()) from generate_series(1, case when n = 10 then 999 else 1000 end)) end,
      'hash', '\\x00000000', now()
    from generate_series(1, ${maxKeys - 5}::integer) n`.execute(db)
  const create = async (name: string, project_ids?: string[]) => await keyCreate.run(context, { name, project_ids })

  const created = await Promise.all(['One', 'Two'].map(async name => await create(name, [project_id]).catch(error => error)))
  t.strictSame(created.map(({ code }) => code ?? 'created').sort(), ['created', 'invalid_arguments'], 'also of concurrent calls')
  await t.rejects(create('Three', [project_id]), {
    code: 'invalid_arguments',
    message: /limited to 10,000 projects in all, counted for each key; 1 more would exceed 10,000.*Send fewer project_ids or none/,
    userMessage: /Select fewer projects, or none for all, or revoke a key first/
  })
  t.match(await create('All projects'), { project_ids: null }, 'a key for all projects names none')

  const { items, has_more } = await keysList.run(context, {})
  t.equal(has_more, false, 'every key is listed')
  t.equal(items.reduce((sum, { project_ids }) => sum + (project_ids?.length ?? 0), 0), maxKeyProjects, 'with every project')
  const bytes = JSON.stringify(items).length
  t.ok(items.length === maxKeys - 2 && bytes < 1_000_000, `${bytes} bytes`)
  t.match(await keyCreate.run(other.context, { name: 'Theirs', project_ids: [await projectWith(other, [])] }), { name: 'Theirs' })
})
