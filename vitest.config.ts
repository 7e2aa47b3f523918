import { configDefaults, defineConfig } from 'vitest/config'

/** `npm run test:all` also runs the slow and exceptional tests: those in `*.long.test.ts`, and those tagged `long`. */
const all = process.env.MILEPOST_TESTS === 'all'
const exclude = [...configDefaults.exclude, ...(all ? [] : ['**/*.long.test.ts'])]

export default defineConfig({
  test: {
    // Two cores, and a part of the tests waits: for a job, a timer, the database.
    maxWorkers: 3,
    // Loading the server again for each file took a third of the time.
    isolate: false,
    setupFiles: 'testing/setup.ts',
    tags: [{ name: 'long', description: 'Only `npm run test:all` runs these.' }],
    ...(all ? {} : { tagsFilter: ['!long'] }),
    // What a test waits for has its own bound; these two only end what hangs, also on a busy machine.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{server,contract,scripts,cli}/**/*.test.ts'],
          exclude: [...exclude, 'server/pages/**'],
          globalSetup: 'server/database/testing-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'pages',
          include: ['server/pages/**/*.test.ts'],
          exclude,
          globalSetup: ['scripts/setup/build.mjs', 'server/database/testing-setup.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'web', include: ['{web,markdown}/**/*.test.{ts,tsx}'], exclude },
      },
    ],
  },
})
