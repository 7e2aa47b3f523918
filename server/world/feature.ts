import type { Feature } from '#server/feature.ts'
import { pictureRoutes } from './picture/routes.ts'
import { worldRoutes } from './routes.ts'
import { sitemapRoutes } from './sitemap/routes.ts'

export const publicFeature: Feature = {
  name: 'world',
  routes: ({ api, serve, deps, options }) => {
    worldRoutes(serve, deps)
    pictureRoutes(api, deps)
    sitemapRoutes(api, deps, options)
  },
}
