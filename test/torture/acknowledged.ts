import { type Answered, type Service, answer } from './service.js'

/** Writes something that must not be lost once acknowledged: creates a project with a unique name and no sources. */
export async function write (
  service: Pick<Service, 'url'>,
  headers: Record<string, string>,
  name: string,
  more: object = {}
): Promise<Answered> {
  return await answer(`${service.url}/api/projects`, { method: 'POST', headers, body: JSON.stringify({ name, sources: [], ...more }) })
}

const pageSize = 100

/** Names of the projects that the service returns, page by page. */
export async function namesIn (service: Pick<Service, 'url'>, headers: Record<string, string>): Promise<Set<string>> {
  const names = new Set<string>()
  for (let offset = 0; ; offset += pageSize) {
    const { text } = await answer(`${service.url}/api/projects?limit=${pageSize}&offset=${offset}`, {
      headers,
      signal: AbortSignal.timeout(60_000)
    })
    const { items } = JSON.parse(text) as { items: Array<{ name: string }> }
    for (const { name } of items) names.add(name)
    if (items.length < pageSize) return names
  }
}
