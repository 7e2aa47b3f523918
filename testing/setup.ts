import * as fc from 'fast-check'
import { afterAll, vi } from 'vitest'

// Runs in every test file.

// `npm test` uses the same inputs each time, so that it never fails by chance; `npm run test:all` uses others, and a failure
// prints its seed.
if (process.env.MILEPOST_TESTS !== 'all') fc.configureGlobal({ seed: 20_261_123 })

// Undoes the stubs of a test file before the next one, which runs in the same process.
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
