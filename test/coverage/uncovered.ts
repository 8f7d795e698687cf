/** Minimum coverage in percent: of everything together, and of each file that is not listed below. */
export const limits = { lines: 98.5, branches: 94, fileLines: 80, fileBranches: 60 }

/** An entry is stale only if its file is this many points above both limits, because timing moves coverage by a point or two. */
export const staleMargin = 5

/** Files below the limits of a file, each with the reason. The report fails if a file is missing here or an entry is stale. */
export const uncovered: Readonly<Record<string, string>> = {
  'db/embedded/prepare.ts': 'A step of the build, which runs before the tests. They call what it calls.',
  'src/adapters/web/build-assets.ts': 'A step of the build, which runs before the tests. They read what it wrote.',
  'src/adapters/web/font-packages.ts': 'The same step of the build.',
  'src/adapters/web/view.ts': 'The error for a component outside a page is for programmers; no page reaches it.',
}

/** Files whose coverage depends on timing or on the machine, each with the reason. They may be above or below the limits. */
export const varying: Readonly<Record<string, string>> = {
  'db/connection-watchdog.ts':
    'Acts only if a PostgreSQL server stops answering. The trial of outages (make torture) tests it; most runs see a part.',
  'db/embedded/data-directory.ts':
    'What it says about files of another user, a process of that user tests, which may not write coverage. Only root can start one.',
  'db/prepared-statements.ts':
    'Its client is for PostgreSQL servers. The tests on PostgreSQL cover it, which are not measured; others see the part that connects.',
  'src/fulltext/sandbox/resident-memory.ts':
    'Other systems than Linux use another branch, and so does a process that ends while it is measured.'
}
