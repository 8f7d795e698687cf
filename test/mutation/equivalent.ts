/** A mutant that no test can kill, since it changes nothing that anybody could observe. */
export interface Equivalent { file: string, original: string, replacement: string, reason: string }

export const equivalent: readonly Equivalent[] = [
]
