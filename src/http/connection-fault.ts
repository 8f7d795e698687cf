/** What codes of Node.js and undici mean. */
const meanings: Record<string, string> = {
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the name server does not answer',
  ESERVFAIL: 'the name server cannot look up this name',
  ETIMEOUT: 'the name server does not answer',
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  UND_ERR_SOCKET: 'the connection broke',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name'
}

/**
 * Says why a server cannot be reached, with the code, for which a search engine finds more. Texts of the error could be the server's own
 * words.
 */
export function connectionFault ({ code = '' }: NodeJS.ErrnoException): string {
  if (!/^[A-Z][A-Z0-9_]+$/.test(code)) return 'the connection failed'
  return code in meanings ? `${meanings[code]} (${code})` : `the connection failed (${code})`
}
