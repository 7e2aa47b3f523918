import type { Feature } from '#server/feature.ts'
import { sitemapRoutes } from './routes.ts'

export const sitemapFeature: Feature = {
  name: 'sitemap',
  routes: ({ api, deps, options }) => sitemapRoutes(api, deps, options),
}
