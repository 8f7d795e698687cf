/** Whether an address, as a request states it, is a path of this service, to which a page may redirect. */
export const isOwnPath = (path: string | undefined): path is string => path !== undefined && /^\/(?![/\\])[\x20-\x5b\x5d-\x7e]*$/.test(path)
