/** Whether a host is a loopback address or localhost. */
export const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|::1|\[::1\]|localhost)$/i.test(host)

/** Whether a peer's address, such as ::ffff:127.0.0.1, is one of this machine. */
export const isLoopbackAddress = (address: string): boolean => isLoopback(address.replace(/^::ffff:/i, ''))

/** Whether a host to listen on means every network interface. */
export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::'
