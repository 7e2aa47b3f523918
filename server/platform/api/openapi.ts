import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { ACCESS_TOKEN, SESSION } from './calls.ts'

/**
 * A script of the page: Swagger UI leaves its dark theme to its top bar, and the width of phones to nobody. The theme is that of the
 * other pages (`web/shell/apply-theme.ts`).
 */
const FIT_SCREEN = `
document.head.insertAdjacentHTML('beforeend', '<meta name="viewport" content="width=device-width, initial-scale=1">')
const system = matchMedia('(prefers-color-scheme: dark)')
function paint() {
  let chosen = null
  try {
    chosen = localStorage.getItem('theme')
  } catch {
    // A browser that forbids storage stores no choice.
  }
  document.documentElement.classList.toggle('dark-mode', chosen ? chosen === 'dark' : system.matches)
}
paint()
system.addEventListener('change', paint)
addEventListener('storage', paint)
`

/**
 * Serves OpenAPI 3.1, generated from the contract, at `/api/openapi.json`, and Swagger UI at `/api/docs` under the
 * content security policy of the site's own pages.
 */
export async function mountDocs(
  app: FastifyInstance,
  { publicUrl, contentSecurityPolicy }: { publicUrl: string; contentSecurityPolicy: string },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Milepost',
        version: '1',
        description:
          'Projects, milestones and entries, as Milepost keeps them. A program sends an access token, which its owner makes in the settings: `Authorization: Bearer mp_…`.',
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          [ACCESS_TOKEN]: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'mp_…',
            description:
              'An access token, made in the settings. It may do what its owner may and its scopes allow.',
          },
          [SESSION]: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'The application token of somebody who is signed in, for an hour.',
          },
        },
      },
      security: [{ [SESSION]: [] }],
    },
    transform: jsonSchemaTransform,
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: contentSecurityPolicy,
    // Without the top bar: its logo has an inline style that the policy forbids, and it can load other sites' documents.
    uiConfig: { layout: 'BaseLayout' },
    theme: { title: 'API of Milepost', js: [{ filename: 'theme.js', content: FIT_SCREEN }] },
    logLevel: 'silent',
  })
  app.get('/api', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/api/docs'))
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}
