import type { Feature } from '#server/feature.ts'
import { mcpRoutes } from './routes.ts'

export const mcpFeature: Feature = {
  name: 'mcp',
  routes: ({ api, options }) => mcpRoutes(api, options),
}
