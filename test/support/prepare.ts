import { makeServerTemplate, makeTemplate, testDatabaseUrl } from './database.js'

/* tap runs this once before the test files, so they do not wait for each other to create a template. */
if (testDatabaseUrl === undefined) await makeTemplate()
else await makeServerTemplate(testDatabaseUrl)
