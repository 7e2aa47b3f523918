import { z } from 'zod'
import { defineCalls } from './call.ts'
import { date } from './wire.ts'

export const exportCalls = defineCalls({
  prepareExport: {
    method: 'POST',
    path: '/api/account/export',
    who: 'signed-in',
    scope: 'read',
    summary: 'A URL at which all of my projects, entries and pictures can be downloaded as one archive',
    responses: {
      200: z.object({
        /** A path of this server, valid for a minute. The archive is created while it is downloaded. */
        url: z.string(),
        expiresAt: date,
      }),
    },
  },
})
