import { busyPublicPage } from './busy-public-page.ts'
import { cachedPage, knownPage } from './cached-pages.ts'
import { entriesPage } from './entries-page.ts'
import { firstScreen } from './first-screen.ts'
import { installSize } from './install-size.ts'
import { largeDatabase } from './large-database.ts'
import { memoryAtRest } from './memory-at-rest.ts'
import { memoryGrowth } from './memory-growth.ts'
import type { Row } from './row.ts'
import { save } from './save.ts'
import { signIn } from './sign-in.ts'
import { uncachedPage } from './uncached-page.ts'
import { warmStart } from './warm-start.ts'

/** Every row of the table, in its order. */
export const rows: Row[] = [
  cachedPage,
  knownPage,
  uncachedPage,
  busyPublicPage,
  largeDatabase,
  entriesPage,
  save,
  signIn,
  firstScreen,
  warmStart,
  memoryGrowth,
  memoryAtRest,
  installSize,
]
