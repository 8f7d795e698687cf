/* Versions of a work in DOIs, for publishers that register one for each. */

/**
 * DOIs of repositories and journals that give each version of a work a DOI of its own: what the versions share, how a version is written,
 * and whether the work itself has a DOI without one.
 */
const versionedDois: ReadonlyArray<{ form: RegExp, write: (base: string, version: number) => string }> = [
  {
    form: /^(10\.\d+\/(?:m9\.figshare|[a-z]+\.figshare|sage|techrxiv)\.(?:c\.)?\d+)(?:\.v(\d{1,3}))?$/,
    write: (base, version) => `${base}.v${version}`
  },
  // Other tenants of figshare, and ScienceOpen. Years have four digits: "10.1000/journal.2019.v12" is a volume.
  {
    form: /^(10\.(?:\d+\/[^/\s]+\.\d{5,}|14293\/s[^/\s]+\.pp[a-z0-9]+))(?:\.v(\d{1,3}))$/,
    write: (base, version) => `${base}.v${version}`
  },
  { form: /^(10\.12688\/f1000research\.\d+-\d+)(?:\.v(\d{1,3}))?$/, write: (base, version) => `${base}.v${version}` },
  { form: /^(10\.20944\/preprints\d{6}\.\d{4})(?:\.v(\d{1,3}))?$/, write: (base, version) => `${base}.v${version}` },
  {
    form: /^(10\.(?:21203\/rs\.\d\.(?:(?:rs|pex)-)?\d+|22541\/(?:au|essoar)\.[\d.]+|36227\/techrxiv\.\d+\.\d+))(?:\/v(\d{1,3}))?$/,
    write: (base, version) => `${base}/v${version}`
  },
  {
    form: /^(10\.26434\/chemrxiv(?:-\d{4}-[a-z0-9]+|\.\d+))(?:[-.]v(\d{1,3}))?$/,
    write: (base, version) => `${base}${base.includes('chemrxiv.') ? '.' : '-'}v${version}`
  },
  { form: /^(10\.7287\/peerj\.preprints\.\d+)(?:v(\d{1,3}))?$/, write: (base, version) => `${base}v${version}` },
  { form: /^(10\.(?:1101|64898)\/\d{4}\.\d\d\.\d\d\.\d+)(?:v(\d{1,3}))?$/, write: (base, version) => `${base}v${version}` },
  { form: /^(10\.48550\/arxiv\.\S+?)(?:v(\d{1,3}))?$/, write: (base, version) => `${base}v${version}` },
  { form: /^(10\.33774\/[a-z]+-\d{4}-[a-z0-9]+)(?:-v(\d{1,3}))?$/, write: (base, version) => `${base}-v${version}` },
  // Each preprint service of OSF has a prefix; under 10.17605 are projects.
  { form: /^(10\.(?!17605)\d{5}\/osf\.io\/[a-z0-9]{5})(?:_v(\d{1,3}))?$/, write: (base, version) => `${base}_v${version}` },
  // Not eLife, whose reviewed preprints have versions of the article's DOI. Two digits: components, such as figures, have three.
  {
    form: /^(10\.(?:(?:12688|3310|35241)\/[a-z][a-z0-9]*|1002\/essoar)\.\d+)(?:\.([1-9]\d?))$/,
    write: (base, version) => `${base}.${version}`
  },
  { form: /^(10\.32388\/[a-z0-9]{6})(?:\.([1-9]\d?))?$/, write: (base, version) => `${base}.${version}` }
]
/** How each of them ends; most DOIs do not. */
const versionEnd = /(?:v\d{1,3}|\.[1-9]\d?)$/
/** Versions that are looked for. */
const maxVersions = 9

/** A DOI without the version of the work that it names: versions of a work have it in common. */
export function versionlessDoi (doi: string): string {
  if (!versionEnd.test(doi)) return doi
  for (const { form } of versionedDois) {
    const base = form.exec(doi)?.[1]
    if (base !== undefined) return base
  }
  return doi
}

/** The version in a DOI, such as 2 in 10.26434/chemrxiv-2021-ab1-v2. */
export function versionInDoi (doi: string | null): number | undefined {
  if (doi === null) return undefined
  const version = versionedDois.map(({ form }) => form.exec(doi)?.[2]).find(found => found !== undefined)
  return version === undefined ? undefined : Number(version)
}

/**
 * The DOIs of a work's versions, with the given one and the one of the work; the DOI alone where versions have none of their own. arXiv
 * registers none, and its papers are found by their arXiv ids.
 */
export function doiVersions (doi: string): string[] {
  if (doi.startsWith('10.48550/arxiv.')) return [...new Set([doi, versionlessDoi(doi)])]
  for (const { form, write } of versionedDois) {
    const base = form.exec(doi)?.[1]
    if (base !== undefined) return [...new Set([doi, base, ...Array.from({ length: maxVersions }, (_, at) => write(base, at + 1))])]
  }
  return [doi]
}
