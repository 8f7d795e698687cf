/**
 * Nouns of abstracts whose plural is not formed with s, each with its plural. Those that also are words of their own are left out, such as
 * "media" and "leaves".
 */
const pairs: ReadonlyArray<readonly [singular: string, plural: string]> = (
  'alga algae, alveolus alveoli, appendix appendices, atrium atria, bacillus bacilli, bacterium bacteria, bronchus bronchi, calf calves, ' +
  'child children, cilium cilia, cortex cortices, criterion criteria, embolus emboli, focus foci, foot feet, foramen foramina, ' +
  'formula formulae, fungus fungi, ganglion ganglia, genus genera, glomerulus glomeruli, goose geese, grandchild grandchildren, ' +
  'helix helices, hypothalamus hypothalami, index indices, larva larvae, locus loci, louse lice, man men, matrix matrices, ' +
  'mitochondrion mitochondria, mouse mice, nucleus nuclei, ovum ova, papilla papillae, phenomenon phenomena, protozoon protozoa, ' +
  'pupa pupae, quantum quanta, schoolchild schoolchildren, septum septa, spectrum spectra, spermatozoon spermatozoa, stimulus stimuli, ' +
  'stoma stomata, stratum strata, taxon taxa, thrombus thrombi, tooth teeth, vertebra vertebrae, vertex vertices, villus villi, ' +
  'wolf wolves, woman women'
).split(', ').map(pair => pair.split(' ') as [string, string])

const plurals = new Map(pairs)
const singulars = new Map(pairs.map(([singular, plural]) => [plural, singular]))

/** The plural of a noun that is not formed with s; undefined for other words. */
export const irregularPlural = (word: string): string | undefined => plurals.get(word)
/** The singular of such a plural; undefined for other words. */
export const irregularSingular = (word: string): string | undefined => singulars.get(word)
