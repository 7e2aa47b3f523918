import { entriesPage } from './entries-page.ts'
import type { Row } from './row.ts'

/** Every row of the table, in its order. */
export const rows: Row[] = [entriesPage]
