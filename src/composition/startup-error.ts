import { CertificateRejected, DatabaseError, DatabaseNotWritable, DatabaseUnreachable } from '../../db/errors.js'
import { messageOf } from '../../schemas/thrown.js'

/** Explains to the operator what to do about a failure to open or migrate the database. The driver's error is the cause. */
export function toStartupError (thrown: unknown, databaseUrl: string | undefined): unknown {
  if (!(thrown instanceof DatabaseError)) return thrown
  const advice = adviceOf(thrown, databaseUrl)
  return advice === undefined ? thrown : new Error(advice, { cause: thrown.cause })
}

function adviceOf (error: DatabaseError, databaseUrl: string | undefined): string | undefined {
  if (error instanceof DatabaseNotWritable) {
    return 'The database rejects writes, but starting requires them: its disk is full, or it is read-only. Free disk space and start again.'
  }
  if (databaseUrl === undefined) return undefined
  const server = `PostgreSQL${URL.canParse(databaseUrl) ? ` at ${new URL(databaseUrl).host}` : ''} (DATABASE_URL)`
  if (error instanceof CertificateRejected) {
    return `The certificate of ${server} was rejected. If its authority is your own, add ?sslmode=verify-full&sslrootcert=/path/to/ca.pem.`
  }
  if (error instanceof DatabaseUnreachable) return `${server} is unreachable. Check that it is running and that the address is correct.`
  if (error.code === notPermitted) {
    return `The user of ${server} may not create what Litfeed needs. Make it the owner of the database: ALTER DATABASE … OWNER TO …`
  }
  if (messageOf(error.cause).includes('btree_gin')) {
    return `${server} lacks the extension btree_gin. Install PostgreSQL's contrib package on the server, or allow the extension there.`
  }
  if (unknownToServer.includes(error.code ?? '')) return `${server} rejected a statement. Litfeed needs version 15 or newer.`
  return undefined
}

/** SQLSTATE of insufficient privileges. */
const notPermitted = '42501'
/** SQLSTATEs of syntax errors and unknown functions. */
const unknownToServer: readonly string[] = ['42601', '42883']
