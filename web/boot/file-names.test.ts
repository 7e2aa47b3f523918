import { expect, test } from 'vitest'
import { neutralName } from './file-names.ts'

test.each([
  ['share-dialog', 'dialog'],
  ['banners', 'part'],
  ['issuer-popup', 'issuer'],
  ['follow-translations', 'translations'],
  ['notification-bell', 'bell'],
  ['media-widgets', 'media'],
])('a built file of %s has no word that ad blockers look for', (name, neutral) => {
  expect(neutralName(name)).toBe(neutral)
})

test.each(['dashboard-screen', 'add-dialog', 'download', 'shared', 'story-print-screen'])(
  'a built file keeps the name %s',
  (name) => {
    expect(neutralName(name)).toBe(name)
  },
)
