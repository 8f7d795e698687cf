import type { FastifyPluginAsync } from 'fastify'
import type { ServiceContext } from '../../operations/context.js'
import { assetAddress } from './assets.js'

/** Colors of the icons and of pages in light mode: the accent of base.css. */
export const themeColor = '#125f58'
const backgroundColor = '#ffffff'

/**
 * Adds the web app manifest, with which phones and desktops install Litfeed, and share pages with it. Sharing opens a page by GET, which
 * adds nothing.
 * @see https://w3c.github.io/web-share-target/
 */
const serveManifest: FastifyPluginAsync<Pick<ServiceContext, 'baseUrl'>> = async (fastify, { baseUrl }) => {
  fastify.get('/manifest.webmanifest', { schema: { hide: true } }, async (_request, reply) => {
    const to = (path: string) => `${new URL(baseUrl()).pathname.replace(/\/$/, '')}${path}`
    const icon = (name: 'icon-192.png' | 'icon-512.png', size: number) => ({
      src: to(assetAddress(name)),
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose: 'any maskable'
    })
    reply.type('application/manifest+json; charset=utf-8').header('cache-control', 'public, max-age=3600')
    return await reply.send(JSON.stringify({
      id: to('/'),
      name: 'Litfeed',
      short_name: 'Litfeed',
      description: 'Feeds of research literature.',
      start_url: to('/'),
      scope: to('/'),
      display: 'minimal-ui',
      theme_color: themeColor,
      background_color: backgroundColor,
      icons: [
        { src: to(assetAddress('icon.svg')), sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
        icon('icon-192.png', 192),
        icon('icon-512.png', 512)
      ],
      share_target: { action: to('/add'), method: 'GET', params: { title: 'title', text: 'text', url: 'url' } }
    }))
  })
}

export default serveManifest
