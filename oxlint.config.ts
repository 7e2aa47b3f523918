import { type DummyRuleMap, defineConfig } from 'oxlint'

/**
 * The rooms of the web in the order in which they may know each other: a room imports those of the floors above it in this list and
 * those before it on its own floor. Hence there is no circle, dialogs that are loaded later included.
 */
const webFloors = [
  ['ui', 'head', 'markdown', 'guide'],
  ['api', 'saving', 'reactions'],
  ['identity', 'forms', 'files', 'notifications', 'landing'],
  ['addresses', 'profiles', 'followers', 'shares', 'export', 'webhooks', 'projects', 'commands'],
  ['access-tokens', 'collaborators', 'watching', 'drafts', 'milestones', 'entries'],
  ['activity', 'calendar', 'search', 'trash', 'composer', 'account'],
  ['live', 'dashboard', 'public', 'workspace', 'palette'],
  ['shell', 'administration', 'import', 'boot', 'pages'],
]

const BELOW = { group: ['../**'], message: 'Across rooms import by #room/…; inside a folder by ./' }
const STORES = {
  group: ['#server/**/*store.ts'],
  message: "A feature uses another feature's service, never its store.",
}
const WEB = { group: ['#web/**'], message: 'Only server/pages/ knows the web, and only its build.' }

type Pattern = { group: string[]; message: string }

const imports = (...patterns: Pattern[]): DummyRuleMap => ({
  'no-restricted-imports': ['error', { patterns: [BELOW, ...patterns] }],
})

const NEWER = 'Newer than the build.target of vite.config.ts'
/** Functions that the oldest browsers of `build.target` lack: of these objects, and of any object. */
const newerFunctions = [
  ...[
    ['URL', 'parse'],
    ['AbortSignal', 'any'],
    ['Promise', 'try'],
    ['RegExp', 'escape'],
  ].map(([object, property]) => ({ object, property, message: NEWER })),
  ...[
    'canParse',
    'groupBy',
    'withResolvers',
    'fromAsync',
    'Segmenter',
    'isWellFormed',
    'toWellFormed',
    'toSorted',
    'toReversed',
    'toSpliced',
    'isSubsetOf',
    'isSupersetOf',
    'isDisjointFrom',
    'symmetricDifference',
  ].map((property) => ({ property, message: NEWER })),
]

const webRooms = webFloors.flat().map((room, at, rooms) => ({
  files: [`web/${room}/**`],
  rules: imports(
    { group: ['#server/**'], message: 'The web never imports the server.' },
    {
      group: ['#web/**', `!#web/{${[...rooms.slice(0, at), room, ''].join(',')}}/**`],
      message: 'A room imports only those before it in the list of oxlint.config.ts.',
    },
    ...(room === 'ui'
      ? [
          {
            group: [
              '#contract/**',
              '!#contract/parts/{date-formats,durations,characters,contours,colours}.ts',
              '#markdown/**',
            ],
            message: 'ui knows no feature.',
          },
        ]
      : []),
  ),
}))

export default defineConfig({
  plugins: ['typescript', 'react', 'unicorn', 'import', 'jsx-a11y', 'promise', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error' },
  ignorePatterns: ['build', 'node_modules'],
  rules: {
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/no-misused-spread': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'no-console': 'error',
    'no-empty': 'error',
    eqeqeq: 'error',
    'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'] }],
    'no-underscore-dangle': 'off',
    'no-shadow': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'react/react-in-jsx-scope': 'off',
    'react/rules-of-hooks': 'error',
    'react/exhaustive-deps': 'error',
    'import/no-unassigned-import': 'off',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    ...imports(),
  },
  overrides: [
    {
      files: ['{cli,contract,markdown,server,web}/**'],
      excludeFiles: ['**/*.test.{ts,tsx}', '**/testing/**', '**/testing.ts', 'server/database/migrations/**'],
      rules: { 'max-lines-per-function': ['error', { max: 80 }] },
    },
    // They import what the build makes of `?script`, whose type TypeScript knows.
    { files: ['web/boot/render-screen.tsx', 'web/pages/document.tsx'], rules: { 'import/default': 'off' } },
    { files: ['e2e/**'], rules: { 'react/rules-of-hooks': 'off', 'no-empty-pattern': 'off' } },
    {
      files: ['{contract,markdown,web}/**'],
      excludeFiles: ['**/*.test.{ts,tsx}', '**/*.server.ts', '**/testing/**'],
      rules: {
        'unicorn/no-array-reverse': 'off',
        'no-restricted-properties': ['error', ...newerFunctions],
      },
    },
    { files: ['scripts/**', 'verification/**', 'server/main.ts'], rules: { 'no-console': 'off' } },
    {
      files: ['testing/**'],
      rules: imports({
        group: ['#web/**', '#scripts/**', '#verification/**'],
        message: 'testing/ serves journeys, scripts and verification.',
      }),
    },
    {
      files: ['contract/**'],
      excludeFiles: ['**/*.test.ts'],
      rules: imports({
        group: ['*', '!./*', '!./parts/*', '!zod'],
        message: 'The contract imports zod alone.',
      }),
    },
    {
      files: ['markdown/**'],
      rules: imports({
        group: ['#*/**', '!#contract/parts/{characters,unspaced}.ts'],
        message: 'The renderer of Markdown knows nothing else of ours.',
      }),
    },
    {
      files: ['cli/**'],
      excludeFiles: ['**/*.test.ts', '**/*.mjs'],
      rules: imports({
        group: ['#server/**', '#web/**'],
        message: 'The command line knows the contract alone.',
      }),
    },
    {
      files: ['web/**'],
      rules: imports({ group: ['#server/**'], message: 'The web never imports the server.' }),
    },
    ...webRooms,
    { files: ['server/**'], rules: imports(WEB, STORES) },
    {
      files: ['server/entries/bulk/**'],
      rules: imports(WEB, { ...STORES, group: [...STORES.group, '!#server/entries/*store.ts'] }),
    },
    {
      files: ['server/**/routes.ts'],
      rules: imports(WEB, STORES, {
        group: ['**/*store.ts', 'kysely', 'pg'],
        message: 'A route goes through its service.',
      }),
    },
    {
      files: ['server/platform/**', 'server/database/**'],
      excludeFiles: ['**/*.test.ts'],
      rules: imports(WEB, {
        group: [
          '#server/**',
          '!#server/{platform,database}/**',
          '!#server/{cannot-start,make-folder,private-file,settings}.ts',
        ],
        message: 'platform and database know no feature.',
      }),
    },
  ],
})
