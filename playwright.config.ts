import { defineConfig } from '@playwright/test'

const asRoot = process.getuid?.() === 0

/** Journeys on servers with other settings, or of their own. */
const OWN_SERVER = [
  '**/administration.spec.ts',
  '**/*-mail.spec.ts',
  '**/email-change.spec.ts',
  '**/entry-images.spec.ts',
  '**/google.spec.ts',
  '**/issuer-only.spec.ts',
  '**/password-reset.spec.ts',
  '**/together.spec.ts',
  '**/verify-email.spec.ts',
]

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  fullyParallel: true,
  forbidOnly: true,
  // Journeys that mostly wait are run by `npm run test:all`.
  ...(process.env.MILEPOST_TESTS === 'all' ? {} : { grepInvert: /@long/ }),
  // A journey waits a third of its time: for the server, for timers of the page, for a frame.
  workers: 3,
  // These two only end what hangs, also on a busy machine.
  timeout: 240_000,
  expect: { timeout: 45_000 },
  // One worker, so that these start each kind of server once: two of them for every other worker would cost more than waiting.
  projects: [
    { name: 'servers', testMatch: OWN_SERVER, workers: 1 },
    { name: 'journeys', testIgnore: OWN_SERVER },
  ],
  reporter: process.env.CI ? 'list' : [['list'], ['html', { open: 'never' }]],
  use: {
    // Recording each journey costs a good part of its time: `--trace on` records the one that is looked into.
    trace: 'off',
    // So does drawing motion without a graphics card: a few journeys have it, the others ask for none.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
      args: [
        ...(asRoot ? ['--no-sandbox'] : []),
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
