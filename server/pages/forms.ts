import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Mounts routes that take forms of at most this many bytes, which pages send without scripts. Mark each with `takesForm`. */
export function formRoutes(
  scope: FastifyInstance,
  bytesMax: number,
  mount: (forms: FastifyInstance) => void,
): void {
  scope.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: bytesMax },
      (_request, body, done) => done(null, new URLSearchParams(body.toString())),
    )
    mount(forms)
  })
}

/** Returns the form of a request; undefined if it has another body, or none. */
export const formOf = ({ body }: FastifyRequest) => (body instanceof URLSearchParams ? body : undefined)

/** Whether another site sent a request: its form does not speak for its visitor. */
export const isFromElsewhere = ({ headers }: FastifyRequest) => headers['sec-fetch-site'] === 'cross-site'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a page takes forms that are sent without scripts. */
    takesForm?: true
  }
}
