import { CertificateRejected, DatabaseError, DatabaseNotWritable, DatabaseUnreachable } from '../../db/errors.js'
import { errorCodeOf, messageOf } from '../../schemas/thrown.js'

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
    return `The certificate of ${server} was rejected.${certificateAdvice(errorCodeOf(error.cause) ?? '')}`
  }
  if (messageOf(error.cause).includes('does not support SSL')) {
    return `${server} does not support TLS. Enable it on the server, or remove sslmode from the address.`
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

/** What to do about a certificate that Node.js rejected with a code; empty if its message says enough. */
function certificateAdvice (code: string): string {
  if (/SELF_SIGNED_CERT|^UNABLE_TO_/.test(code)) {
    return ' If its authority is your own, add the parameters sslmode=verify-full and sslrootcert=/path/to/ca.pem.'
  }
  if (code === 'CERT_HAS_EXPIRED') return ' Renew it on the server.'
  return code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? ' Use a host name that it states.' : ''
}

/** SQLSTATE of insufficient privileges. */
const notPermitted = '42501'
/** SQLSTATEs of syntax errors and unknown functions. */
const unknownToServer: readonly string[] = ['42601', '42883']
