/** Whether a host is a loopback address or localhost. */
export const isLoopback = (host: string): boolean => /^(127(\.\d{1,3}){3}|::1|\[::1\]|localhost)$/i.test(host)
