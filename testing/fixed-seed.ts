import * as fc from 'fast-check'

// `npm test` tries the same inputs each time, so that it never fails by chance; `npm run test:all` tries others, and a failure prints its seed.
if (process.env.MILEPOST_TESTS !== 'all') fc.configureGlobal({ seed: 20_261_123 })
