import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    maxWorkers: 2,
    // What a test waits for has its own bound; these two only end what hangs, also on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{server,contract,scripts}/**/*.test.ts'],
          exclude: ['server/pages/**'],
          globalSetup: 'server/database/testing-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'pages',
          include: ['server/pages/**/*.test.ts'],
          globalSetup: ['scripts/setup/before-page-tests.mjs', 'server/database/testing-setup.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'web', include: ['{web,markdown}/**/*.test.{ts,tsx}'] },
      },
    ],
  },
})
