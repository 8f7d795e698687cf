import type { NotConvertibleReason } from '../../src/fulltext/converted.js'

/** What a refused document's error looks like, for `t.throws` and `t.rejects`. */
export const notConvertible = (reason: NotConvertibleReason | RegExp) => ({ name: /./, message: /\.$/, reason })
