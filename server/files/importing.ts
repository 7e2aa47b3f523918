import type { Transaction } from 'kysely'
import type { Schema } from '#server/database/rows.ts'
import { giveUpFile } from './removal-store.ts'

/** Gives up an imported file unless something uses it; returns whether nothing does. */
export const giveUpImported = (trx: Transaction<Schema>, id: string): Promise<boolean> => giveUpFile(trx, id)
