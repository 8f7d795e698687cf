import { version } from '../../settings/version.js'
import { appsExtension } from './resources.js'

const icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#125f58"/>' +
  '<path d="M9 7v18h14" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>' +
  '<path d="M14 19h8M14 14h8M14 9h5" stroke="#9fd8cf" stroke-width="2" stroke-linecap="round"/></svg>'

/** The protocol's Implementation in short, for every result. */
export const shortServerInfo = Object.freeze({ name: 'litfeed', title: 'Litfeed', version })

/** The protocol's Implementation. Its website is the service's home page. */
export const serverInfoOf = (websiteUrl: string) => ({
  ...shortServerInfo,
  description: 'Research-literature feeds: standing interests, their papers, and full-feed search.',
  websiteUrl,
  icons: [{ src: `data:image/svg+xml;base64,${Buffer.from(icon).toString('base64')}`, mimeType: 'image/svg+xml', sizes: ['any'] }]
})

/** The lists do not change while the service runs. */
export const capabilities = Object.freeze({
  tools: { listChanged: false },
  prompts: { listChanged: false },
  resources: { listChanged: false },
  completions: {},
  extensions: { [appsExtension]: {} }
})
