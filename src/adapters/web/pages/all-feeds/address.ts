/** The part of all feeds that is listed, as in the page's address. All values are as they were sent. */
export interface AllFeedsLocation {
  q?: string | undefined
  project_id?: string | undefined
  year_from?: string | undefined
  year_to?: string | undefined
  venue?: string | undefined
  author?: string | undefined
  has_full_text?: boolean | undefined
  filter?: string | undefined
  must_read?: boolean | undefined
  sort?: string | undefined
  offset?: string | undefined
}

/** Builds the address of a location. Defaults are omitted. */
export function allFeedsAddress (location: AllFeedsLocation): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(location)) {
    const isDefault =
      value === undefined || value === '' || value === '0' || (name === 'filter' && value === 'all') || (name === 'sort' && value === 'day')
    if (!isDefault) query.set(name, String(value))
  }
  return query.size === 0 ? '/feed' : `/feed?${query}`
}
