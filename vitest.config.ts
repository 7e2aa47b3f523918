import { configDefaults, defineConfig } from 'vitest/config'

/** `npm run test:all` also runs the slow and exceptional tests: those in `*.long.test.ts`, and those tagged `long`. */
const all = process.env.MILEPOST_TESTS === 'all'
const exclude = [...configDefaults.exclude, ...(all ? [] : ['**/*.long.test.ts'])]

const DATABASE = 'server/database/testing-setup.ts'
const BUILD = 'scripts/setup/build.mjs'
/** `npm test` runs the tests of `pages` in the processes of `server`, which would otherwise be loaded again for them. */
const isWhole = process.env.WHOLE_RUN === 'yes'

export default defineConfig({
  test: {
    // More workers than the two cores, because some tests wait for a job, a timer or the database.
    maxWorkers: 3,
    // With isolation, loading the server again for each file took a third of the time.
    isolate: false,
    setupFiles: 'testing/setup.ts',
    tags: [{ name: 'long', description: 'Only `npm run test:all` runs these.' }],
    ...(all ? {} : { tagsFilter: ['!long'] }),
    // High enough for a busy machine: these timeouts only end tests that hang. Waits within tests have their own
    // limits.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{server,contract,scripts,verification,cli}/**/*.test.ts'],
          exclude: isWhole ? exclude : [...exclude, 'server/pages/**'],
          globalSetup: isWhole ? [BUILD, DATABASE] : DATABASE,
        },
      },
      ...(isWhole
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: 'pages',
                include: ['server/pages/**/*.test.ts'],
                exclude,
                globalSetup: [BUILD, DATABASE],
              },
            },
          ]),
      {
        extends: true,
        test: { name: 'web', include: ['{web,markdown}/**/*.test.{ts,tsx}'], exclude },
      },
    ],
  },
})
