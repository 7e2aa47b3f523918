import { afterAll, vi } from 'vitest'

/** Runs in every test file: what a file stubbed does not reach the next one, which runs in the same process. */
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
