import { allSettings } from '../../src/composition/settings.js'

const addresses = Object.entries(allSettings).filter(([, { schema }]) => /^https?:/.test(String((schema as { default?: unknown }).default)))

/** Settings that point every outside service to a port where nothing listens. */
export const offline: Readonly<Record<string, string>> = Object.fromEntries(addresses.map(([name]) => [name, 'http://127.0.0.1:2']))
