import type { Feature } from '#server/feature.ts'
import { publicPages } from './pages.ts'
import { pictureRoutes } from './picture/routes.ts'
import { publicPageRoutes } from './routes.ts'

export const publicFeature: Feature = {
  name: 'public',
  routes: ({ api, serve, deps }) => {
    publicPageRoutes(serve, deps)
    pictureRoutes(api, deps)
  },
  pages: publicPages,
}
