import { defineConfig } from '@playwright/test'

const asRoot = process.getuid?.() === 0
const all = process.env.MILEPOST_TESTS === 'all'

/**
 * Take a tenth of the processor time less. Not in `npm run test:all`, whose journeys with several tabs are to have several
 * processes.
 */
const FRUGAL = ['--renderer-process-limit=1', '--js-flags=--no-opt']

/** Journeys that need other settings or separate servers. */
const OWN_SERVER = [
  '**/administration.spec.ts',
  '**/*-mail.spec.ts',
  '**/email-change.spec.ts',
  '**/entry-images.spec.ts',
  '**/google.spec.ts',
  '**/issuer-only.spec.ts',
  '**/password-reset.spec.ts',
  '**/reflow.spec.ts',
  '**/together.spec.ts',
  '**/verify-email.spec.ts',
]

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  fullyParallel: true,
  forbidOnly: true,
  // Only `npm run test:all` runs the journeys that mostly wait.
  ...(all ? {} : { grepInvert: /@long/ }),
  // A journey spends a third of its time waiting for the server, for timers of the page or for a frame.
  workers: 3,
  // High enough for a busy machine: these timeouts only end journeys that hang.
  timeout: 240_000,
  expect: { timeout: 45_000 },
  // One worker, so that each kind of server is started once: starting them again in another worker takes longer than
  // waiting.
  projects: [
    { name: 'servers', testMatch: OWN_SERVER, workers: 1 },
    { name: 'journeys', testIgnore: OWN_SERVER },
  ],
  reporter: process.env.CI ? 'list' : [['list'], ['html', { open: 'never' }]],
  use: {
    // Tracing slows every journey down considerably. To debug one, use `--trace on`.
    trace: 'off',
    // So do animations without a GPU, which only a few journeys enable.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(process.env.CHROMIUM_PATH ? { executablePath: process.env.CHROMIUM_PATH } : {}),
      args: [
        ...(asRoot ? ['--no-sandbox'] : []),
        ...(all ? [] : FRUGAL),
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
