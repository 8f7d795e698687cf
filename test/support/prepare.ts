import { makeTemplate, testDatabaseUrl } from './database.js'

/** Runs once, before the test files, so that they need not wait for each other's. */
if (testDatabaseUrl === undefined) await makeTemplate()
