import { v7 } from 'uuid'
import { serverNow } from './server-clock.ts'

/**
 * Returns the id of something new, or of a change. It begins with the time of the server: entries of one past day are ordered by their
 * ids. Unlike crypto.randomUUID, this works on plain http.
 */
export const newId = (): string => v7({ msecs: serverNow().getTime() })
