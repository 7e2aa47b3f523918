import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The first parts of keys that `cache-refresher.ts` makes stale when others change something. */
const REFRESHED = [
  'activity',
  'calendar',
  'collaborators',
  'drafts',
  'editors',
  'entries',
  'milestones',
  'notifications',
  'projects',
  'trash',
]

/** Those that are read when what shows them is opened, or that ask again by themselves. */
const NOT_REFRESHED = [
  'access-tokens',
  'account',
  'address',
  'administration',
  'default milestone',
  'draft to offer',
  'files',
  'identity-options',
  'imports',
  'initial draft',
  'invitation',
  'invitation options',
  'mentionable',
  'milestone summary',
  'moved entry',
  'passkeys',
  'profile',
  'proof-methods',
  'reactions',
  'readers',
  'search',
  'sessions',
  'share links',
  'watch',
  'webhooks',
]

test('it is decided of every query whether the event of a change makes it stale', () => {
  const roots = globSync('web/**/*.{ts,tsx}')
    .filter((path) => !/testing|\.test\.tsx?$/.test(path))
    .flatMap((path) =>
      Array.from(
        readFileSync(path, 'utf8').matchAll(
          /\b(?:queryKey:|(?!mutation)\w+Key(?:: QueryKey)? =(?: \([^()]*\): QueryKey =>)?)\s*\[\s*'([^']+)'/g,
        ),
        ([, root = '']) => root,
      ),
    )
  expect([...new Set(roots)].toSorted()).toEqual([...REFRESHED, ...NOT_REFRESHED].toSorted())
})
