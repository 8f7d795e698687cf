/** A share as people read it. */
export const percent = (share: number): string => `${Math.round(100 * share)} %`
