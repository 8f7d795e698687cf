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
  if (header === undefined) return null
  const firstMatch = (list: typeof browsers) => list.find(([pattern]) => pattern.test(header))?.[1]
  const browser = firstMatch(browsers)
  const system = firstMatch(systems)
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`
  // Programs start with name and version.
  const [, name, version] = /^([A-Za-z][\w.-]{0,40})(?:\/([\w.-]{1,20}))?/.exec(header.trim()) ?? []
  return name === undefined ? null : version === undefined ? name : `${name} ${version}`
}
