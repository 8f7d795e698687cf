import { type Answered, type Service, answer } from './service.js'

/** Writes something that must not be lost once acknowledged: creates a project with a unique name and no sources. */
export async function write (service: Pick<Service, 'url'>, headers: Record<string, string>, name: string, more: object = {}): Promise<Answered> {
  return await answer(`${service.url}/api/projects`, { method: 'POST', headers, body: JSON.stringify({ name, sources: [], ...more }) })
}

/** Names of the projects that the service returns. */
export async function namesIn (service: Pick<Service, 'url'>, headers: Record<string, string>): Promise<Set<string>> {
  const { text } = await answer(`${service.url}/api/projects`, { headers, signal: AbortSignal.timeout(60_000) })
  return new Set(JSON.parse(text).items.map(({ name }: { name: string }) => name))
}
