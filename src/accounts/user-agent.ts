/** The first match wins, since browsers also name their ancestors. */
const browsers: ReadonlyArray<[RegExp, string]> = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Headless Chrome'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari']
]
const systems: ReadonlyArray<[RegExp, string]> = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux']
]

/**
 * Summarizes a User-Agent header so that people recognize a session: "Firefox on Linux", "curl 8.5.0".
 * @returns null if the header is missing or unknown
 */
export function describeUserAgent (header: string | undefined): string | null {
  const program = parseUserAgent(header)
  return program === undefined ? null : [program.name, ...(program.version === null ? [] : [program.version])].join(' ')
}

/**
 * The program that a User-Agent header names: a browser with its system, or a program with its version.
 * @returns undefined if it is missing or unknown
 */
export function parseUserAgent (header: string | undefined): { name: string, version: string | null } | undefined {
  if (header === undefined) return undefined
  const firstMatch = (list: typeof browsers) => list.find(([pattern]) => pattern.test(header))?.[1]
  const browser = firstMatch(browsers)
  const system = firstMatch(systems)
  if (browser !== undefined) return { name: system === undefined ? browser : `${browser} on ${system}`, version: null }
  // Programs start with name and version.
  const [, name, version = null] = /^([A-Za-z][\w.-]{0,40})(?:\/([\w.-]{1,20}))?/.exec(header.trim()) ?? []
  return name === undefined ? undefined : { name, version }
}
