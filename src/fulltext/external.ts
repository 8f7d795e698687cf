import type { Converted } from './converted.js'
export const externalConverter = (_o: object): { convert (b: Uint8Array, s?: AbortSignal): Promise<Converted> } => { throw new Error('stub') }
