/** The first that fits counts: browsers also name those that they descend from. */
const browsers: ReadonlyArray<[RegExp, string]> = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Chrome without a window'],
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
 * What a User-Agent header says, in a few words that a person knows a login by: "Firefox on Linux", "curl 8.5.0".
 * @returns null where it says nothing
 */
export function describeUserAgent (header: string | undefined): string | null {
  if (header === undefined) return null
  const first = (list: typeof browsers) => list.find(([pattern]) => pattern.test(header))?.[1]
  const browser = first(browsers)
  const system = first(systems)
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`
  // A program begins with its name and version.
  const [, name, version] = /^([A-Za-z][\w.-]{0,40})(?:\/([\w.-]{1,20}))?/.exec(header.trim()) ?? []
  return name === undefined ? null : version === undefined ? name : `${name} ${version}`
}
