import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Runs work on a new database of a server, which is gone afterwards. */
export async function onNewDatabase<T> (serverUrl: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = `litfeed_trial_${randomBytes(6).toString('hex')}`
  const server = new pg.Client({ connectionString: serverUrl })
  await server.connect()
  try {
    await server.query(`create database ${name}`)
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    return await work(url.href)
  } finally {
    await server.query(`drop database if exists ${name} with (force)`)
    await server.end()
  }
}
