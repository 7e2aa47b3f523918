import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { FILE_BYTES_MAX } from '#contract/wire.ts'
import { limitRequests } from './limits/requests.ts'
import type { Admit } from './load/overload.ts'
import { setSafeHeaders } from './safe-headers.ts'

const ONE_YEAR_S = 31_536_000
/** A field of a form: the content of an entry, each of whose characters may take four bytes. */
const FIELD_BYTES = 800_000

type Guarded = { rateLimit: boolean; publicUrl: string; admit: Admit }

/** What stands before every call: safe headers, no caching, bounded forms, a limit by address. */
export async function guardApi(api: FastifyInstance, options: Guarded): Promise<void> {
  setSafeHeaders(api, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity: options.publicUrl.startsWith('https:') && {
      maxAge: ONE_YEAR_S,
      includeSubDomains: false,
    },
  })
  api.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store')
    done()
  })
  api.addHook('onRequest', options.admit)
  await api.register(multipart, {
    throwFileSizeLimit: false,
    limits: { fieldSize: FIELD_BYTES, fields: 20, files: 1, fileSize: FILE_BYTES_MAX, headerPairs: 20 },
  })
  if (options.rateLimit) await limitRequests(api)
}
