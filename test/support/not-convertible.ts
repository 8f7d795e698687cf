import type { NotConvertibleReason } from '../../src/fulltext/converter-result.js'

/** Pattern of the error for a document that cannot be converted, for `t.throws` and `t.rejects`. */
export const notConvertible = (reason: NotConvertibleReason | RegExp) => ({ name: /./, message: /\.$/, reason })
