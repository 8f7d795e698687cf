import { addressNames } from '../../src/settings/settings.js'

/** Settings that let no test reach the outside world: nobody listens there. */
export const offline: Readonly<Record<string, string>> = Object.fromEntries(addressNames.map(name => [name, 'http://127.0.0.1:2']))
