/** The words of lists, which spaces separate. */
export const wordSet = (...lists: string[]): ReadonlySet<string> => new Set(lists.join(' ').split(' '))
