import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RoleBadge } from './roles.tsx'

test.each([
  ['admin', 'text-admin', 'Admin'],
  ['editor', 'text-editor', 'Editor'],
  ['viewer', 'text-viewer', 'Viewer'],
  ['owner', 'text-other', 'Owner'],
] as const)('the badge of the role %s has its colour %s, an icon and its name', (role, colour, name) => {
  const html = renderToStaticMarkup(<RoleBadge role={role} />)
  expect(html).toMatch(new RegExp(`class="[^"]*\\b${colour}\\b`))
  expect(html).toContain('<svg')
  expect(html).toMatch(new RegExp(`${name}</span>$`))
})
