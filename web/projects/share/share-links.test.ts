import { expect, test } from 'vitest'
import { type Platform, platforms, publicLink, shareUrl } from './share-links.ts'

const link = publicLink('https://milepost.example', '0199f1f0-0000-7000-8000-000000000000')
const shared = { title: 'Oars & paddles: 50% + 1', link }

test('a project is public under /world', () => {
  expect(link).toBe('https://milepost.example/world/0199f1f0-0000-7000-8000-000000000000')
})

const handedTo = (platform: Platform) =>
  [...new URL(shareUrl(platform, shared)).searchParams.values()].join(' ')

test.each(platforms)('%s receives the link unchanged', (platform) => {
  expect(handedTo(platform)).toContain(link)
})

test.each(['X', 'WhatsApp', 'Email', 'Reddit'] as const)('%s receives the title unchanged', (platform) => {
  expect(handedTo(platform)).toContain(shared.title)
})

test('an email has no plus signs for spaces', () => {
  expect(shareUrl('Email', { title: 'A canoe', link })).toMatch(
    /^mailto:\?subject=A%20canoe&body=A%20canoe%0A/,
  )
})
