import { existsSync } from 'node:fs'

const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** Path of the browser: `CHROMIUM`, else Debian's. The headless shell, the same engine without windows, takes half of the CPU time. */
export const chromiumPath = process.env.CHROMIUM ?? installed.find(path => existsSync(path)) ?? installed.at(-1)!
