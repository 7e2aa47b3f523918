import { z } from 'zod'
import { author } from './entries.ts'
import { defineCalls } from './parts/call.ts'
import { ids } from './parts/wire.ts'

/** The interval at which an open editor reports itself, and the time for which a report is valid. */
export const PRESENCE_SECONDS = 15
export const PRESENCE_EXPIRY_SECONDS = 45

/** The other people who have an entry open in the editor. */
export const editors = z.object({ editors: z.array(author) })

const path = '/api/milestones/:milestoneId/entries/:entryId/editors/me'

export const presenceCalls = defineCalls({
  keepEditing: {
    method: 'PUT',
    path,
    who: 'signed-in',
    scope: 'none',
    needs: 'content:edit',
    summary: `Report every ${PRESENCE_SECONDS} seconds that I have an entry open in the editor; returns who else does`,
    params: ids('milestoneId', 'entryId'),
    responses: { 200: editors },
  },
  endEditing: {
    method: 'DELETE',
    path,
    who: 'signed-in',
    scope: 'none',
    needs: 'content:edit',
    summary: 'Report that I have closed the editor of an entry',
    params: ids('milestoneId', 'entryId'),
    responses: { 204: null },
  },
})
