export const bytesPerMebibyte = 1024 * 1024

/** A limit or a size as people read it, with at most one decimal: "1.5 MiB". */
export const mebibytes = (bytes: number): string => `${Math.round(bytes / bytesPerMebibyte * 10) / 10} MiB`
