import t from 'tap'
import { Migrator, sql } from 'kysely'
import { migrate } from '../../db/migrate.js'
import { rescoreFeeds } from '../../db/migrations/2027-02-18-vote-trust.js'
import { migrations } from '../../db/migrations/index.js'
import { upgradeRows } from '../../db/queries/backup.js'
import { noticeKinds, warningKinds } from '../../schemas/notice.js'
import { openJobQueue } from '../../src/jobs/queue.js'
import { migrationDatabase } from '../support/migrations.js'

t.test('migrations of accounts, votes, alerts and jobs', async t => {
  const { db, empty } = await migrationDatabase(t)

  t.test('count papers with a vote as seen', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2026-12-06-item-state'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    await sql`
      with owner as (insert into account (email, password_hash) values ('voter@example.org', '') returning id),
        made as (insert into project (account_id, name) select id, 'Old' from owner returning id),
        papers as (insert into paper (slug, title, authors, source_name, metadata, title_key)
          select 'old', 'Old paper ' || n, '[]', 'x', '{}', n::text from generate_series(1, 2) n returning id, title)
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class, vote, voted_at)
        select made.id, papers.id, 0, 'related',
          case when title = 'Old paper 1' then 'star' end, case when title = 'Old paper 1' then '2026-11-01'::timestamptz end
        from made, papers`.execute(db)
    await migrate(db)
    const rows = await db.selectFrom('project_paper').select(['voted_at', 'seen_at']).orderBy('voted_at').execute()
    t.strictSame(rows.map(({ voted_at, seen_at }) => [voted_at, seen_at]), [
      [new Date('2026-11-01'), new Date('2026-11-01')],
      [null, null]
    ])
  })

  t.test('remember who unsubscribed', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2026-12-21-unsubscriptions'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    await sql`
      with owner as (insert into account (email, password_hash) values ('owner@example.org', '') returning id),
        made as (insert into project (account_id, name) select id, 'Old' from owner returning id)
      insert into alert (project_id, kind, target, frequency, created_at, next_send_at, unsubscribed_at)
        select made.id, 'email', target, 'daily', now(), now(), ended::timestamptz
        from made, (values ('Gone@example.org', '2026-11-01Z'), ('gone@example.org', '2026-11-02Z'), ('stays@example.org', null))
          given (target, ended)`.execute(db)
    await migrate(db)
    const remembered = await db.selectFrom('unsubscription').select(['address', 'unsubscribed_at', 'asked_at']).execute()
    t.strictSame(remembered, [{ address: 'gone@example.org', unsubscribed_at: new Date('2026-11-02Z'), asked_at: null }])
  })

  t.test('count the deleted alerts of addresses that unsubscribed as ended', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2027-01-01-ended-deleted-alerts'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    await sql`
      with owner as (insert into account (email, password_hash) values ('owner@example.org', '') returning id),
        ended as (insert into unsubscription (account_id, address, unsubscribed_at) select id, 'gone@example.org', '2026-11-02Z' from owner)
      insert into deleted_alert (id, account_id, project_id, address)
        select gen_random_uuid(), id, gen_random_uuid(), address from owner, (values ('gone@example.org'), ('stays@example.org')) given (address)
      `.execute(db)
    await migrate(db)
    t.strictSame(await db.selectFrom('deleted_alert').select(['address', 'unsubscribed_at']).orderBy('address').execute(), [
      { address: 'gone@example.org', unsubscribed_at: new Date('2026-11-02Z') },
      { address: 'stays@example.org', unsubscribed_at: null }
    ])
  })

  t.test('make the oldest account the administrator', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2026-11-23-administration'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    await sql`insert into account (email, password_hash, created_at)
      values ('younger@example.org', '', '2026-02-02'), ('older@example.org', '', '2026-01-01')`.execute(db)
    await migrate(db)
    t.strictSame(await db.selectFrom('account').select(['email', 'administrator', 'disabled_at']).orderBy('created_at').execute(), [
      { email: 'older@example.org', administrator: true, disabled_at: null },
      { email: 'younger@example.org', administrator: false, disabled_at: null }
    ])
  })

  t.test('count the addresses of earlier accounts as proven, also in backups', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2027-02-03-account-confirmations'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    await sql`insert into account (email, password_hash) values ('earlier@example.org', '')`.execute(db)
    await migrate(db)
    const unconfirmed = async () => await db.selectFrom('account').select('email').where('email_confirmed_at', 'is', null).execute()
    t.strictSame(await unconfirmed(), [])
    await sql`insert into account (email, password_hash) values ('later@example.org', '')`.execute(db)
    t.strictSame(await unconfirmed(), [{ email: 'later@example.org' }])
    await upgradeRows(db, '2027-02-03-account-confirmations')
    t.strictSame(await unconfirmed(), [{ email: 'later@example.org' }])
    await upgradeRows(db, '2027-02-01-paper-bytes')
    t.strictSame(await unconfirmed(), [])
  })

  t.test('mark the warnings that accounts were told, also in backups', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2027-02-09-told-warnings'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    await sql`
      with owner as (insert into account (email, password_hash) values ('told@example.org', '') returning id),
        added as (
          insert into paper (slug, title, authors, source_name, metadata, title_key) values ('told', 'Told', '[]', 'crossref', '{}', 'told')
          returning id),
        stated as (
          insert into paper_notice (paper_id, source, kind, reference, first_seen_at)
          select id, 'crossref', kind, '', now() from added, unnest(${[...noticeKinds]}::text[]) kind returning id)
      insert into account_notice (account_id, notice_id, found_at) select owner.id, stated.id, now() from owner, stated`.execute(db)
    const marked = async () => (await db.selectFrom('account_notice').innerJoin('paper_notice', 'id', 'notice_id').select('kind')
      .where('is_warning', '=', true).execute()).map(({ kind }) => kind).sort()
    await migrate(db)
    t.strictSame(await marked(), [...warningKinds].sort())
    await db.updateTable('account_notice').set({ is_warning: false }).execute()
    await upgradeRows(db, '2027-02-05-alike-papers')
    t.strictSame(await marked(), [...warningKinds].sort())
  })

  t.test('schedule the rescoring of feeds with an interest, or with a model of an earlier version', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2027-02-13-exclusions'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    await sql`
      with owner as (insert into account (email, password_hash) values ('old@example.org', '') returning id),
        made as (
          insert into project (account_id, name, scoring_due_at, interest_description)
          select id, name, due, case name when 'interest' then 'Sleep' else '' end
          from owner, (values ('no model', null), ('interest', null), ('earlier model', null), ('earlier model, due', '2026-01-01Z'),
            ('current model', null)) given (name, due_text),
            lateral (select due_text::timestamptz as due) as read
          returning id, name)
      insert into relevance_model (project_id, model, trained_at)
      select id, jsonb_build_object('version', case name when 'current model' then 7 else 6 end), now()
      from made where name like '%r% model%'`.execute(db)
    const dueTimes = async () => {
      const projects = await db.selectFrom('project').select(['name', 'scoring_due_at']).execute()
      return Object.fromEntries(projects.map(({ name, scoring_due_at }) => [name, scoring_due_at]))
    }
    await migrate(db)
    const due = await dueTimes()
    t.match(due, { 'no model': null, 'earlier model': Date, 'earlier model, due': new Date('2026-01-01Z'), 'current model': null })
    t.match(due, { interest: Date })
    await rescoreFeeds(db)
    t.strictSame(await dueTimes(), due, 'a second run changes nothing')
  })

  t.test('estimate recall under a weekly limit from later votes only', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2026-12-30-recall-since'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    await sql`
      with owner as (insert into account (email, password_hash) values ('limited@example.org', '') returning id)
      insert into project (account_id, name, weekly_limit) select id, 'limit ' || weekly, weekly from owner, (values (0), (5)) given (weekly)`
      .execute(db)
    await migrate(db)
    const projects = await db.selectFrom('project').select(['name', 'recall_since']).orderBy('name').execute()
    t.match(projects, [{ name: 'limit 0', recall_since: null }, { name: 'limit 5', recall_since: Date }])
  })

  t.test('move unfinished jobs from the former queue and drop its schema', async t => {
    await empty()
    await sql`drop schema if exists pgboss cascade`.execute(db)
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2026-11-26-queue'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    // The columns of pg-boss 10 that are read, with rows as it wrote them.
    await sql`create schema pgboss`.execute(db)
    await sql`create type pgboss.job_state as enum ('created', 'retry', 'active', 'completed', 'cancelled', 'failed')`.execute(db)
    await sql`create table pgboss.queue (name text primary key)`.execute(db)
    await sql`create table pgboss.job (id uuid, name text, data jsonb, state pgboss.job_state, start_after timestamptz,
      primary key (name, id)) partition by list (name)`.execute(db)
    await sql`create table pgboss.j1 partition of pgboss.job for values in ('convert-markdown')`.execute(db)
    const makeJobs = async () => await sql`
      with jobs as (
        insert into job (task, once_key, state, attempts, alive_at, created_at)
        select 'convert-markdown', key, state, attempts, case state when 'running'
        then now() - interval '5 minutes' end, now() - interval '1 hour'
        from (values ('waits', 'waiting', 0), ('retries', 'waiting', 2), ('runs', 'running', 1), ('lost', 'waiting', 0),
        ('ended', 'done', 1)) as listed (key, state, attempts) returning id, once_key, task)
      insert into pgboss.job (id, name, data, state, start_after)
      select id, task, case once_key when 'waits' then '{"traceparent": "00-a-b-01"}'::jsonb else '{}' end,
        (case once_key when 'waits' then 'created' when 'retries' then 'retry' when 'runs' then 'active'
          else 'completed' end)::pgboss.job_state,
        now() + case once_key when 'retries' then interval '10 minutes' else interval '-1 hour' end
      from jobs where once_key <> 'lost'`.execute(db)
    await sql`insert into pgboss.queue values ('convert-markdown')`.execute(db)
    await makeJobs()
    await migrate(db)
    const { rows } =
      await sql`select once_key, state, attempts, traceparent, round(extract(epoch from run_at - now()) / 60)::int as minutes from job
        where state <> 'done' order by once_key`.execute(db)
    t.strictSame(rows, [
      { once_key: 'lost', state: 'waiting', attempts: 0, traceparent: null, minutes: -60 },
      { once_key: 'retries', state: 'waiting', attempts: 2, traceparent: null, minutes: 10 },
      { once_key: 'runs', state: 'running', attempts: 1, traceparent: null, minutes: 0 },
      { once_key: 'waits', state: 'waiting', attempts: 0, traceparent: '00-a-b-01', minutes: -60 }
    ])
    t.strictSame((await sql`select from pg_namespace where nspname = 'pgboss'`.execute(db)).rows, [])
    const queue = openJobQueue(db)
    await queue.requeueSilent()
    const keys = await Promise.all([1, 2, 3, 4].map(async () => (await queue.claim('convert-markdown'))?.id))
    t.equal(keys.filter(id => id !== undefined).length, 3, 'what waited and what ran; the retry is not due yet')
  })

  t.test('keep a pg-boss schema that another program uses', async t => {
    await empty()
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2026-11-26-queue'))
    await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
    await sql`create schema pgboss`.execute(db)
    await sql`create table pgboss.queue (name text primary key)`.execute(db)
    await sql`create table pgboss.job (id uuid, name text, data jsonb, state text, start_after timestamptz)`.execute(db)
    await sql`insert into pgboss.queue values ('send-alert'), ('of another program')`.execute(db)
    await migrate(db)
    t.equal((await sql`select from pgboss.queue`.execute(db)).rows.length, 2)
    await sql`drop schema pgboss cascade`.execute(db)
  })
})
