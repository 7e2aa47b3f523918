import { expect, test } from 'vitest'
import { codeOf } from './screen-code.ts'

const files = {
  others: ['/guard.js', '/shared.js', '/project.js', '/project.css', '/dashboard.js'],
  screens: {
    'shell/guard.tsx': [0],
    'workspace/project-screen.tsx': [1, 2, 3],
    'dashboard/dashboard-screen.tsx': [1, 4],
  },
}
const codeAt = (pathname: string, ...loaded: string[]) =>
  codeOf(pathname, files, (file) => loaded.includes(file))

test('a screen needs its modules, those of its layouts, and its styles', () => {
  expect(codeAt('/projects/1')).toEqual(['/guard.js', '/shared.js', '/project.js', '/project.css'])
  expect(codeAt('/projects/1', 'shell/guard.tsx')).toEqual(['/shared.js', '/project.js', '/project.css'])
  expect(codeAt('/projects/1', 'shell/guard.tsx', 'dashboard/dashboard-screen.tsx')).toEqual([
    '/project.js',
    '/project.css',
  ])
  expect(codeAt('/nowhere')).toEqual([])
})

test('a screen that is loaded needs nothing', () => {
  expect(codeAt('/projects/2', 'shell/guard.tsx', 'workspace/project-screen.tsx')).toEqual([])
})
